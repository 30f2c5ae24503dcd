//! What a run leaves behind: a page in Markdown, and a list of all pairs on which an engine is wrong.

use crate::truth::Wrong;
use crate::{Comparison, Row};

/// The engine that all others are beside.
const OURS: &str = "impinge";

/// How many wrong pairs of an engine the page itself names.
const NAMED: usize = 3;

/// Ratios first, then a table for each recording.
pub fn page(comparisons: &[Comparison], rounds: usize) -> String {
    let mut page = format!(
        "# Whole frames beside other libraries\n\n\
         `peers/run-frames` makes this page. A frame is everything from new poses, in the types of the library, to the list of \
         pairs that intersect: boxes, candidates, tests. All bodies move in every frame. Milliseconds of the median frame; of \
         each frame the median of {rounds} rounds counts, in which all engines took turns; at its turn an engine goes through \
         all frames twice, and the second time counts. One thread. {}\n\n\
         | recording | Impinge | best peer | | ratio | Impinge, ns a body | ten times the best peer |\n\
         |---|---:|---|---:|---:|---:|---:|\n",
        machine()
    );
    for comparison in comparisons {
        page += &ratio(comparison).unwrap_or_default();
    }
    page += "\nThe recordings are the multi-body scene of I-COLLIDE: `n` bodies, `f` faces each, `d` per cent of the volume; each \
             body moves a tenth of its radius and turns by 10 degrees a frame.\n\n\
             *Wrong* are pairs said to intersect that do not, and the reverse. Every pair whose boxes overlap was decided by exact \
             arithmetic, in every frame; [all wrong pairs](peers-wrong.csv) are listed with the true distance, or \
             minus the true depth. *Candidates* are the pairs that an engine tests, a frame; how many that are depends on its boxes. \
             The mean leaves out the first frame, in which structures are built.\n";
    page += BETWEEN;
    for comparison in comparisons {
        page += &section(comparison);
    }
    page
}

/// What the numbers mean for the aim.
const BETWEEN: &str = "
**What stands between.** We want five times the best peer, seven at 500 faces, and ten in the end. The last column is what a body may
then cost, all stages together; below stands what each stage does cost. Bodies get cubes here, which need one point, and
half of the candidates, those of cubes, are decided by two balls; a frame of a sparse scene is reading poses, boxes and pairs from memory. In
dense scenes the tests that balls leave open count most, some 250 ns each, and each of ours ends with a proof. With 500 faces the peers
look at all vertices, or walk among them, for every box and every test; here most tests are decided by centres and a
remembered direction.
";

fn machine() -> String {
    let facts = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = facts.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim())
    });
    format!("Processor: {}.", model.unwrap_or("unknown"))
}

/// A line of the first table.
fn ratio(comparison: &Comparison) -> Option<String> {
    let whole = |row: &Row| row.median()[1];
    let ours = comparison.rows.iter().find(|row| row.engine == OURS)?;
    let peers = comparison.rows.iter().filter(|row| row.engine != OURS);
    let best = peers.min_by(|p, q| whole(p).total_cmp(&whole(q)))?;
    let (ours, theirs) = (whole(ours), whole(best));
    Some(format!(
        "| {} | {ours:.3} | {} | {theirs:.3} | {:.1} | {:.0} | {:.0} |\n",
        comparison.workload,
        best.engine,
        theirs / ours,
        ours * 1e6 / comparison.bodies as f64,
        theirs * 1e5 / comparison.bodies as f64,
    ))
}

/// All engines on one recording.
fn section(comparison: &Comparison) -> String {
    let Comparison {
        workload,
        bodies,
        frames,
        intersecting,
        rows,
    } = comparison;
    let mut text = format!(
        "\n## {workload}\n\n{bodies} bodies, {frames} frames, {intersecting} intersecting pairs in all of them together.\n\n\
         | engine | median | boxes and candidates | tests | mean | against Impinge | candidates | pairs | missed | invented |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
    );
    let ours = rows.iter().find(|row| row.engine == OURS);
    for row in rows {
        text += &line(row, *frames, ours.map(|ours| ours.median()[1]));
    }
    for row in rows.iter().filter(|row| !row.work.is_empty()) {
        text += &format!("\nThe work of {}: {}.\n", row.engine, row.work);
    }
    for row in rows.iter().filter(|row| !row.wrong.is_empty()) {
        text += &format!("\n- {}: {}", row.engine, verdicts(&row.wrong));
    }
    if rows.iter().any(|row| !row.wrong.is_empty()) {
        text.push('\n');
    }
    text
}

fn line(row: &Row, frames: usize, ours: Option<f64>) -> String {
    let [broad, whole] = row.median();
    let parts = match broad > 0.0 {
        true => format!("{broad:.3} | {:.3}", whole - broad),
        false => " | ".to_owned(),
    };
    let ratio = ours.map_or(f64::NAN, |ours| whole / ours);
    let invented = row.wrong.iter().filter(|wrong| wrong.is_hit).count();
    format!(
        "| {} | {whole:.3} | {parts} | {:.3} | {ratio:.1} | {:.0} | {} | {} | {invented} |\n",
        row.engine,
        row.mean(),
        row.candidates as f64 / frames as f64,
        row.hits,
        row.wrong.len() - invented,
    )
}

/// The first wrong pairs in words.
fn verdicts(wrong: &[Wrong]) -> String {
    let named: Vec<String> = wrong.iter().take(NAMED).map(verdict).collect();
    let rest = wrong.len().saturating_sub(NAMED);
    let more = match rest {
        0 => String::new(),
        _ => format!("; and {rest} more"),
    };
    named.join("; ") + &more + "."
}

fn verdict(wrong: &Wrong) -> String {
    let Wrong {
        frame,
        pair: [a, b],
        is_hit,
        distance,
    } = wrong;
    match is_hit {
        true => format!(
            "frame {frame}, bodies {a} and {b} are said to intersect and are {distance:.2e} apart"
        ),
        false => format!(
            "frame {frame}, bodies {a} and {b} are said to be apart and overlap by {:.2e}",
            -distance
        ),
    }
}

/// All wrong pairs, one a line.
pub fn wrong_csv(comparisons: &[Comparison]) -> String {
    let mut text = "recording,engine,frame,a,b,says,true distance or minus depth\n".to_owned();
    for comparison in comparisons {
        for row in &comparison.rows {
            for wrong in &row.wrong {
                let [a, b] = wrong.pair;
                let says = if wrong.is_hit { "intersect" } else { "apart" };
                text += &format!(
                    "{},{},{},{a},{b},{says},{}\n",
                    comparison.workload,
                    row.engine.replace(',', ""),
                    wrong.frame,
                    wrong.distance
                );
            }
        }
    }
    text
}
