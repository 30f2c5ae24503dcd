//! What stands beside the figures: what the source saw, and why this code on a machine of today sees something else.

use super::measure::Method;
use super::page::most_in_real_time;
use super::{Figure, Series};

/// The words for a figure.
pub(super) struct Words {
    pub(super) title: &'static str,
    pub(super) pictures: &'static str,
    pub(super) source: &'static str,
    pub(super) why: &'static str,
}

/// What comes before the figures.
pub(super) fn heading(seconds: f64, rounds: usize) -> String {
    format!(
        "# Kinetic sweep and prune, measured anew

`impinge bench kinetic --out docs/experiments` makes this page, [all its numbers](kinetic.csv) and the pictures.

Coming and Staadt (Kinetic Sweep and Prune for Multi-Body Continuous Motion, 2006, section 5) let rings of 64 triangles fly and
bounce: 1000 of them at 1 per cent density, speeds of 0.5 to 1.5 radii a second, asked 1000 times a second, unless a figure says
otherwise; equal masses, elastic. Their measure is the ratio of the time spent to the time simulated: below 1 a method runs in real
time. The same here, for {seconds} s of simulated time, the median of {rounds} rounds (more where they are short, one
beyond 2000 bodies), one thread. The source does not say what keeps its bodies together, nor what density is a share of: here six walls do, and it is the volume of
the balls around the rings in the cube. Bodies do not turn, as in the source.

| | who may meet | then |
|---|---|---|
| cached dynamic, no pruning | all pairs | the continuous test of the pair, kept until a motion changes |
| sweep and prune, swept boxes | boxes of the way in a frame, one frame for each question, three sorted lists (`sweep`) | the same |
| kinetic sweep and prune | moving boxes, three kinetic lists, a heap of exact failure times | the same |
| hybrid, the default | moving boxes, or swept ones in frames as long as costs least, whichever costs less as it runs | the same |

Every method must come to the same impacts and leave every ring at the same place, to the last bit, or there is no page. All tests
of pairs are continuous, so nothing is missed at any rate. Times of an event are compared exactly; the source computed them in floating point.
"
    )
}

pub(super) fn words(figure: Figure) -> Words {
    match figure {
        Figure::Bodies => Words {
            title: "Figure 7: number of bodies",
            pictures: "![Figure 7](kinetic-figure-7.svg)\n\n",
            source: "On a logarithmic scale, an order of magnitude from no pruning to sweep and prune, and less again with kinetic sweep and prune. \
Kinetic and cached dynamic detection follow the number of collisions up and down; sweep and prune only grows. Kinetic \
sweep and prune is in real time for nearly twice as many bodies.",
            why: "A frame costs sweep and prune a pass over all bodies, whether anything happens or not; so far as in the source. But no pruning is not the slowest here: \
the source tested triangles for every pair, and here a pair is first dismissed by comparing its moving boxes, in less than a tenth of a microsecond; for some \
thirty impacts a second that is less than the swaps of a kinetic list, up to 1000 bodies. (That all pairs are looked at once, at the start, is not counted.) \
In a cube at a fixed density the number of neighbours along one axis grows with the number of bodies to the power of two thirds, and \
swaps of a kinetic list with the power of five thirds: at some number kinetic sweep and prune loses its lead, the later the higher the \
rate is. The hybrid is not bound to the rate: its frames last as long as boxes stay useful, and its pairs come from a tree of wide boxes, \
not from lists, so that it needs neither a pass for each question nor a swap for each two bodies that pass each other far apart. These frames last about a second, \
so that a measured second may see the beginning of none; what one costs is seen at 1 Hz below.",
        },
        Figure::Rate => Words {
            title: "Figure 8: sample rate",
            pictures: "![Figure 8](kinetic-figure-8.svg)\n\n![Sample rate, whole time](kinetic-rates.svg)\n\n",
            source: "Updating and sorting of sweep and prune grow linearly with the rate; kinetic sweep and prune grows only by being asked. At rates as \
low as 1 Hz swept boxes lead to over 30 per cent more tests of pairs than moving ones.",
            why: "At low rates there are few frames, and swept boxes cost less than all the swaps of a second: there sweep and prune is the better one, which \
the source's range from 100 Hz on does not show. Tests are counted when the boxes of a pair come to overlap in time; pairs that only the swept boxes \
name are dismissed by comparing the moving boxes, which costs next to nothing, so that the 30 per cent are seen in the pairs that are named and not in the tests.",
        },
        Figure::Models => Words {
            title: "Figure 6: complex models",
            pictures: "",
            source: "100 models of over 6000 triangles each, more than 600 000 in all: over 15 frames a second, with the tests of pairs.",
            why: "With so many triangles the test of a pair is most of the time, and that is the same for all methods: a first contact through trees of \
oriented boxes, eight to a node. The models here are knots of 6200 triangles at 5 per cent density; the source does not tell its own.",
        },
    }
}

/// What the source claims, and what became of it.
pub(super) fn claims(series: &[Series]) -> String {
    let mut text = "\n## The claims of the source\n\n| claim | here |\n|---|---|\n".to_owned();
    let total = |figure: Figure, value: f64, method: Method| {
        let own = series.iter().find(|own| own.figure == figure)?;
        let point = own.points.iter().find(|point| point.value >= value)?;
        Some(point.entry(method)?.total)
    };
    if let [Some(slow), Some(fast)] =
        [1.0, 2000.0].map(|rate| total(Figure::Rate, rate, Method::Kinetic))
    {
        let verdict = if fast < 1.5 * slow {
            "confirmed"
        } else {
            "contradicted"
        };
        text += &format!(
            "| no cost by frame rate | {verdict}: from 1 to 2000 Hz the time of kinetic sweep and prune is multiplied by {:.2} |\n",
            fast / slow
        );
    }
    if let [Some(slow), Some(fast)] =
        [1.0, 2000.0].map(|rate| total(Figure::Rate, rate, Method::Swept))
    {
        text += &format!(
            "| sweep and prune pays for every frame | {}: the same multiplies its time by {:.2} |\n",
            if fast > 2.0 * slow {
                "confirmed"
            } else {
                "contradicted"
            },
            fast / slow
        );
    }
    for own in series.iter().filter(|own| own.figure == Figure::Bodies) {
        let most = [Method::Swept, Method::Kinetic, Method::Hybrid]
            .map(|method| (method, most_in_real_time(own, method)));
        let known: Vec<String> = most
            .iter()
            .filter_map(|(method, most)| Some(format!("{} {}", method.describe(), (*most)?)))
            .collect();
        text += &format!(
            "| twice as many bodies in real time | the most bodies measured that are in real time at 1000 Hz: {} |\n",
            known.join(", ")
        );
        text += &format!("| cost follows collisions | {} |\n", follows(own));
    }
    text
}

/// How the time of kinetic sweep and prune goes with impacts, from 100 to 1000 bodies.
fn follows(series: &Series) -> String {
    let points: Vec<(f64, f64, f64)> = series
        .points
        .iter()
        .filter(|point| point.value <= 1000.0)
        .filter_map(|point| {
            let entry = point.entry(Method::Kinetic)?;
            Some((point.impacts, entry.swaps, entry.total))
        })
        .collect();
    let with_impacts = correlation(points.iter().map(|p| (p.0, p.2)));
    let with_swaps = correlation(points.iter().map(|p| (p.1, p.2)));
    format!(
        "from 100 to 1000 bodies the time of kinetic sweep and prune has a correlation of {with_impacts:.2} with impacts and of {with_swaps:.2} with swaps: \
it follows both, and swaps are what it is made of"
    )
}

fn correlation(points: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let count = points.clone().count() as f64;
    let mean = |of: fn((f64, f64)) -> f64| points.clone().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let sum = |of: &dyn Fn((f64, f64)) -> f64| points.clone().map(of).sum::<f64>();
    let xy = sum(&|p| (p.0 - x) * (p.1 - y));
    let (xx, yy) = (sum(&|p| (p.0 - x).powi(2)), sum(&|p| (p.1 - y).powi(2)));
    xy / (xx * yy).sqrt()
}
