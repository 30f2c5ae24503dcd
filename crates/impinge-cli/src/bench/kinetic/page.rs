//! The page that a run leaves behind, in Markdown.

use super::measure::{Method, Point};
use super::{Arguments, Figure, Series, text};

/// The whole page.
pub(super) fn page(series: &[Series], arguments: &Arguments) -> String {
    let mut page = text::heading(arguments.seconds, arguments.rounds);
    for own in series {
        let words = text::words(own.figure);
        page += &format!(
            "\n## {}\n\n{}{}\n**The source.** {}\n\n**Here.** {}\n\n**Why they differ.** {}\n",
            words.title,
            words.pictures,
            rows(own),
            words.source,
            seen(own),
            words.why
        );
    }
    page + &text::claims(series)
}

/// A table of all points.
fn rows(series: &Series) -> String {
    let methods = Method::ALL;
    let mut rows = format!("| {} | impacts |", series.figure.axis());
    rows.extend(methods.map(|method| format!(" {} |", method.describe())));
    rows += " tests, swept | tests, kinetic | swaps, kinetic |\n|---:|---:|";
    rows.extend(methods.map(|_| "---:|"));
    rows += "---:|---:|---:|\n";
    for point in &series.points {
        rows += &format!("| {} | {} |", point.value, point.impacts);
        for method in methods {
            let ratio = point.entry(method).map(|entry| entry.total);
            rows += &ratio.map_or(" |".to_owned(), |ratio| format!(" {ratio:.4} |"));
        }
        let count = |method: Method, of: fn(&super::measure::Entry) -> f64| {
            point.entry(method).map_or(0.0, of)
        };
        rows += &format!(
            " {} | {} | {} |\n",
            count(Method::Swept, |entry| entry.tests),
            count(Method::Kinetic, |entry| entry.tests),
            count(Method::Kinetic, |entry| entry.swaps),
        );
    }
    rows
}

/// What the numbers say.
fn seen(series: &Series) -> String {
    let over =
        |point: &Point, a: Method, b: Method| Some(point.entry(a)?.total / point.entry(b)?.total);
    let ends = [series.points.first(), series.points.last()];
    let mut parts = Vec::new();
    for point in ends.into_iter().flatten() {
        let ratio = over(point, Method::Swept, Method::Kinetic).unwrap_or(f64::NAN);
        let hybrid = best(point)
            .and_then(|best| Some(point.entry(Method::Hybrid)?.total / best))
            .unwrap_or(f64::NAN);
        parts.push(format!(
            "at {} {} sweep and prune takes {ratio:.2} times the time of kinetic, and the hybrid {hybrid:.2} times that of the better of the two",
            point.value,
            series.figure.axis(),
        ));
    }
    let worst = worst_loss(series);
    format!(
        "Time spent for time simulated: {}. Over all points, the hybrid takes at most {worst:.2} times as long as the better of the two.",
        parts.join("; ")
    )
}

/// The better of the two that the hybrid chooses from.
fn best(point: &Point) -> Option<f64> {
    let kinetic = point.entry(Method::Kinetic)?.total;
    let swept = point.entry(Method::Swept)?.total;
    Some(kinetic.min(swept))
}

/// The hybrid beside the better of the two, at the worst point.
pub(super) fn worst_loss(series: &Series) -> f64 {
    let losses = series.points.iter().filter_map(|point| {
        let hybrid = point.entry(Method::Hybrid)?.total;
        Some(hybrid / best(point)?)
    });
    losses.fold(0.0, f64::max)
}

/// The most bodies of a series at which a method is in real time.
pub(super) fn most_in_real_time(series: &Series, method: Method) -> Option<f64> {
    if series.figure != Figure::Bodies {
        return None;
    }
    let points = series.points.iter();
    let real_time = points.filter(|p| p.entry(method).is_some_and(|entry| entry.total < 1.0));
    real_time.map(|point| point.value).reduce(f64::max)
}

/// What the numbers say, for the screen.
pub(super) fn remark(series: &Series) -> String {
    format!("{}: {}", series.figure.name(), seen(series))
}
