//! The page that a run leaves behind, in Markdown: for each graph the picture, a table of its ends, and three texts.

use super::measure::{Arrangement, Entry, Point};
use super::text::{self, GRAPHS, Graph};
use super::{Parameter, Series, Stage};

/// The whole page.
pub(super) fn page(series: &[Series], frames: usize, rounds: usize) -> String {
    let mut page = text::heading(frames, rounds);
    for graph in GRAPHS {
        let own = series.iter().find(|own| own.parameter == graph.parameter);
        if let Some(own) = own {
            page += &section(graph, own);
        }
    }
    page
}

fn section(graph: &Graph, series: &Series) -> String {
    let Graph {
        number,
        title,
        source,
        why,
        shown,
        ..
    } = graph;
    let name = format!("Graph {number}");
    let seen = seen(series, shown);
    format!(
        "\n## {name}: {title}\n\n![{name}](icollide-graph-{number}.svg)\n\n{}\n\
         **The source.** {source}\n\n**Here.** {seen}\n\n**Why they differ.** {why}\n",
        ends(series, shown)
    )
}

/// A table of the first, the middle and the last point.
fn ends(series: &Series, shown: &[Arrangement]) -> String {
    let mut table = format!(
        "| {} | | update boxes | sort lists | collision tests | frame, ms | pairs of boxes | intersecting | swaps | feature steps |\n\
         |---:|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        series.parameter.axis()
    );
    let points = &series.points;
    for point in [
        &points[0],
        &points[points.len() / 2],
        &points[points.len() - 1],
    ] {
        for arrangement in shown {
            table += &row(point, *arrangement);
        }
    }
    table
}

fn row(point: &Point, arrangement: Arrangement) -> String {
    let entry = point.entry(arrangement);
    let [boxes, pairs, contacts, total] =
        [entry.boxes, entry.pairs, entry.contacts, entry.total()].map(|time| time * 1e3);
    let work = |number: f64| match arrangement {
        Arrangement::Default => String::new(),
        Arrangement::Fixed | Arrangement::Dynamic => format!("{number:.0}"),
    };
    format!(
        "| {} | {} | {boxes:.3} | {pairs:.3} | {contacts:.3} | {total:.3} | {:.0} | {:.0} | {} | {} |\n",
        point.value,
        arrangement.describe(),
        entry.candidates,
        point.intersecting,
        work(entry.swaps),
        work(entry.feature_steps),
    )
}

/// What the numbers say, in sentences.
fn seen(series: &Series, shown: &[Arrangement]) -> String {
    let (first, last) = (&series.points[0], &series.points[series.points.len() - 1]);
    let mut text = format!(
        "From {} to {} {}, the time of a frame is multiplied by",
        first.value,
        last.value,
        series.parameter.unit()
    );
    for (place, arrangement) in shown.iter().enumerate() {
        let comma = if place == 0 { "" } else { ";" };
        text += &format!("{comma} {}", growth(first, last, *arrangement));
    }
    text.push('.');
    if let Some(rates) = rates(series) {
        text += &format!(" {rates}.");
    }
    text
}

/// By how much a frame and its stages take longer at the last point than at the first.
fn growth(first: &Point, last: &Point, arrangement: Arrangement) -> String {
    let factor = |stage: Stage| stage(last.entry(arrangement)) / stage(first.entry(arrangement));
    format!(
        "{:.1} with {} (boxes {:.1}, sorting {:.1}, tests {:.1})",
        factor(Entry::total),
        arrangement.describe(),
        factor(|entry| entry.boxes),
        factor(|entry| entry.pairs),
        factor(|entry| entry.contacts),
    )
}

/// What the numbers say, for the screen.
pub(super) fn remark(series: &Series) -> String {
    format!(
        "{}: {}",
        series.parameter.name(),
        seen(series, &Arrangement::ALL)
    )
}

/// Frames a second at the number of polytopes for which the source has them.
fn rates(series: &Series) -> Option<String> {
    if series.parameter != Parameter::Bodies {
        return None;
    }
    let usual = series.points.iter().find(|point| point.value >= 1000.0)?;
    let rate = |arrangement: Arrangement| {
        let rate = 1.0 / usual.entry(arrangement).total();
        format!("{rate:.0} with {}", arrangement.describe())
    };
    Some(format!(
        "Frames a second with {} polytopes: {}",
        usual.value,
        Arrangement::ALL.map(rate).join(", ")
    ))
}
