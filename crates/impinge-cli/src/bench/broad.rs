//! Every broad phase on every scene of boxes, from a hundred bodies to a million.
//!
//! A frame is all that happens between two questions: bodies that go, come and move, and `collect`. Its time is the median
//! over frames that follow each other, after some to warm up. Where that is soon done, methods take turns, and the median of all turns
//! counts: a processor may be half as fast a moment later. Methods must report as many changes as each other in
//! every frame. What is expected to take more than a minute, judged by a smaller size, is left out.

use super::Outcome;
use super::plot::{Plot, Scale};
use super::table::Table;
use clap::Args;
use impinge::broad::{BroadPhaseKind, PairChanges};
use impinge_scenes::boxes::{BoxScene, BoxSceneKind};
use std::time::{Duration, Instant};

/// Time and memory of every broad phase against the number of bodies, for every scene
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Frames of each measurement; fewer where they would take more than some seconds
    #[arg(long, default_value_t = 100)]
    frames: usize,
    /// How often methods take turns with a number of bodies; less often where that would take more than some seconds
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// Numbers of bodies, ascending, separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = [100, 1000, 10_000, 100_000, 1_000_000])]
    bodies: Vec<usize>,
    /// Scenes, separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = BoxSceneKind::ALL)]
    scenes: Vec<BoxSceneKind>,
    /// Methods, separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = BroadPhaseKind::ALL)]
    methods: Vec<BroadPhaseKind>,
}

/// Frames before the clock counts.
const WARM_UP: usize = 5;

/// The fewest frames that a median is taken of.
const LEAST_FRAMES: usize = 5;

/// How long a measurement may take before it ends early.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long methods may have taken for another turn.
const SOON: Duration = Duration::from_secs(2);

/// How long a measurement may be expected to take, in seconds.
const LIMIT: f64 = 60.0;

/// The seed of all scenes.
const SEED: u64 = 1;

/// What one method came to on one scene.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Seconds a frame.
    time: f64,
    /// Bytes a body.
    bytes: f64,
}

/// Not measured.
const NOTHING: Entry = Entry {
    time: f64::NAN,
    bytes: f64::NAN,
};

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    let (bodies, methods) = (&arguments.bodies, &arguments.methods);
    let is_too_little = arguments.frames < LEAST_FRAMES || arguments.rounds == 0;
    if is_too_little || bodies.is_empty() || !bodies.is_sorted() {
        return Err(format!(
            "at least {LEAST_FRAMES} frames, one round and ascending numbers of bodies are needed"
        ));
    }
    let times = methods.iter().map(|method| format!("{method} us"));
    let memory = methods.iter().map(|method| format!("{method} bytes"));
    let columns = std::iter::once("bodies".to_owned()).chain(times.chain(memory));
    let mut table = Table::with_words("scene", columns);
    let mut remarks = Vec::new();
    let mut plots = Vec::new();
    for &scene in &arguments.scenes {
        let rows = measure_scene(scene, arguments)?;
        for (count, row) in bodies.iter().zip(&rows) {
            let times = row.iter().map(|entry| entry.time * 1e6);
            let memory = row.iter().map(|entry| entry.bytes.round());
            let numbers = std::iter::once(*count as f64).chain(times.chain(memory));
            table.push_with(scene.name(), numbers.collect());
            remarks.extend(remark(scene, *count, methods, row));
        }
        remarks.extend(growth(scene, bodies, methods, &rows));
        plots.push((scene.name(), plot(scene, bodies, methods, &rows)?));
    }
    Ok(Outcome {
        name: "broad",
        plots,
        remarks,
        page: None,
        table,
    })
}

/// A row for each number of bodies.
fn measure_scene(scene: BoxSceneKind, arguments: &Arguments) -> Result<Vec<Vec<Entry>>, String> {
    let mut rows: Vec<Vec<Entry>> = Vec::new();
    let mut before = 0;
    for &count in &arguments.bodies {
        let methods: Vec<Option<BroadPhaseKind>> = (arguments.methods.iter().enumerate())
            .map(|(place, &method)| {
                let last = rows.last().map(|row| row[place]);
                let is_long = last.is_some_and(|last| is_too_long(last, before, count));
                (!is_long).then_some(method)
            })
            .collect();
        let start = Instant::now();
        let mut rounds = Vec::new();
        let mut changes = Vec::new();
        while rounds.is_empty() || (rounds.len() < arguments.rounds && start.elapsed() < SOON) {
            let round = methods.iter().map(|method| match *method {
                None => Ok(NOTHING),
                // As a program does that uses several threads: from one of them.
                Some(method) => {
                    rayon::scope(|_| measure(scene, count, method, arguments.frames, &mut changes))
                        .map_err(|problem| format!("{method}, {count} bodies, {scene}: {problem}"))
                }
            });
            rounds.push(round.collect::<Result<Vec<Entry>, String>>()?);
        }
        eprintln!("{scene}, {count} bodies: done");
        rows.push(middle_of(&rounds));
        before = count;
    }
    Ok(rows)
}

/// Of each method the median over rounds.
fn middle_of(rounds: &[Vec<Entry>]) -> Vec<Entry> {
    let mut row = rounds[0].clone();
    for (place, entry) in row.iter_mut().enumerate() {
        let mut times: Vec<f64> = rounds.iter().map(|round| round[place].time).collect();
        entry.time = median(&mut times);
    }
    row
}

/// Whether a method that may grow with the square of the number of bodies would take too long; it would if it did not get
/// so far as this before.
fn is_too_long(last: Entry, before: usize, count: usize) -> bool {
    let growth = count as f64 / before as f64;
    let expected = last.time * growth * growth * (WARM_UP + LEAST_FRAMES) as f64;
    expected.is_nan() || expected > LIMIT
}

/// One method on one scene. The numbers of changes must be those of the methods before.
fn measure(
    scene: BoxSceneKind,
    count: usize,
    method: BroadPhaseKind,
    frames: usize,
    expected: &mut Vec<[usize; 2]>,
) -> Result<Entry, String> {
    let mut scene = BoxScene::new(scene, count, SEED).map_err(|error| error.to_string())?;
    let mut broad = method.create();
    let mut changes = PairChanges::default();
    if scene.start().apply(&mut *broad).is_err() {
        // A method may have room for fewer bodies.
        return Ok(NOTHING);
    }
    broad.collect(&mut changes);
    let start = Instant::now();
    let mut times = Vec::new();
    while times.len() < frames + WARM_UP {
        let frame = scene.step().map_err(|error| error.to_string())?;
        let begin = Instant::now();
        frame
            .apply(&mut *broad)
            .map_err(|error| error.to_string())?;
        broad.collect(&mut changes);
        times.push(begin.elapsed().as_secs_f64());
        let counts = [changes.began.len(), changes.ended.len()];
        let number = times.len() - 1;
        if expected.len() == number {
            expected.push(counts);
        }
        if expected[number] != counts {
            return Err(format!(
                "other changes than other methods in frame {number}"
            ));
        }
        if start.elapsed() > PATIENCE && times.len() >= WARM_UP + LEAST_FRAMES {
            break;
        }
    }
    Ok(Entry {
        time: median(&mut times[WARM_UP..]),
        bytes: broad.bytes() as f64 / count as f64,
    })
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// How the default compares with the best of the others.
fn remark(
    scene: BoxSceneKind,
    bodies: usize,
    methods: &[BroadPhaseKind],
    row: &[Entry],
) -> Option<String> {
    let default = BroadPhaseKind::default();
    let entries = || methods.iter().zip(row).filter(|(_, e)| e.time.is_finite());
    let (_, own) = entries().find(|(method, _)| **method == default)?;
    let others = entries().filter(|(method, _)| **method != default);
    let (best, entry) = others.min_by(|a, b| a.1.time.total_cmp(&b.1.time))?;
    let ratio = entry.time / own.time;
    Some(format!(
        "{scene}, {bodies} bodies: {default} {:.1} us a frame; the best of the others, {best}, {:.1} us, {ratio:.2} times that",
        own.time * 1e6,
        entry.time * 1e6,
    ))
}

/// How the cost a body of the default grows.
fn growth(
    scene: BoxSceneKind,
    bodies: &[usize],
    methods: &[BroadPhaseKind],
    rows: &[Vec<Entry>],
) -> Option<String> {
    let default = BroadPhaseKind::default();
    let place = methods.iter().position(|method| *method == default)?;
    let costs = bodies.iter().zip(rows).filter(|(count, _)| **count >= 1000);
    let mut costs = costs.map(|(count, row)| (count, row[place].time / *count as f64));
    let (first, last) = (costs.next()?, costs.next_back()?);
    Some(format!(
        "{scene}: {default} costs {:.0} ns a body at {} bodies, {:.0} ns at {}",
        first.1 * 1e9,
        first.0,
        last.1 * 1e9,
        last.0
    ))
}

fn plot(
    scene: BoxSceneKind,
    bodies: &[usize],
    methods: &[BroadPhaseKind],
    rows: &[Vec<Entry>],
) -> Result<String, String> {
    let curve = |place: usize| {
        let points = bodies.iter().zip(rows);
        let points = points.map(|(count, row)| (*count as f64, row[place].time * 1e3));
        points.filter(|(_, time)| time.is_finite()).collect()
    };
    let curves = methods.iter().enumerate();
    let plot = Plot {
        title: &format!("Broad phases: {scene}"),
        x: "bodies",
        y: "milliseconds a frame",
        scale: Scale::Logarithmic,
        curves: curves
            .map(|(place, method)| (method.name().to_owned(), curve(place)))
            .collect(),
    };
    plot.to_svg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_methods_are_left_out() {
        let entry = |time: f64| Entry { time, bytes: 0.0 };
        assert!(!is_too_long(entry(0.01), 1000, 10_000));
        assert!(is_too_long(entry(0.1), 1000, 10_000));
        assert!(is_too_long(NOTHING, 1000, 10_000));
    }

    #[test]
    fn rounds_are_summed_up_by_their_middle() {
        let round = |time: f64| vec![Entry { time, bytes: 7.0 }, NOTHING];
        let row = middle_of(&[round(3.0), round(1.0), round(2.0)]);
        assert_eq!(row[0].time.to_bits(), 2f64.to_bits());
        assert_eq!(row[0].bytes.to_bits(), 7f64.to_bits());
        assert!(row[1].time.is_nan());
    }

    #[test]
    fn a_small_run_has_every_entry() {
        let arguments = Arguments {
            frames: LEAST_FRAMES,
            rounds: 2,
            bodies: vec![50, 100],
            scenes: vec![BoxSceneKind::Churn],
            methods: BroadPhaseKind::ALL.to_vec(),
        };
        let outcome = run(&arguments).unwrap();
        let csv = outcome.table.to_csv();
        assert_eq!(csv.lines().count(), 3);
        assert!(csv.lines().all(|line| !line.contains(",,")));
        assert_eq!(outcome.plots.len(), 1);
        assert_eq!(outcome.remarks.len(), 2);
    }
}
