//! The page that a run leaves behind, in Markdown.

use crate::engines::{Memory, QUESTIONS, Question};
use crate::truth::MUCH;
use crate::{Comparison, Row};

/// The engine that all others are beside.
const OURS: &str = "impinge";

/// Ratios first, then a table for each recording.
pub fn page(comparisons: &[Comparison], rounds: usize) -> String {
    let mut page = format!(
        "# Convex pairs beside other libraries\n\n\
         Nanoseconds a candidate pair, of each frame the median of {rounds} rounds, in which all engines took turns on the \
         same candidates of the same frames. One thread. {}\n\n",
        machine()
    );
    page +=
        "| recording | question | Impinge | best peer | | ratio |\n|---|---|---:|---|---:|---:|\n";
    for comparison in comparisons {
        for question in QUESTIONS {
            page += &ratio(comparison, question).unwrap_or_default();
        }
    }
    page += &format!(
        "\nImpinge remembers pairs (`coherent`); of each peer the faster way counts.\n\n\
         Wrong: pairs said to intersect that do not, and the reverse, by exact arithmetic. Off: distances and depths that are \
         off by more than {MUCH}, or missing; depths are compared for a part of the overlapping pairs. In \
         brackets the largest error.\n"
    );
    for comparison in comparisons {
        page += &table(comparison);
    }
    page
}

fn machine() -> String {
    let facts = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = facts.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim())
    });
    format!("Processor: {}.", model.unwrap_or("unknown"))
}

/// A line of the first table.
fn ratio(comparison: &Comparison, question: Question) -> Option<String> {
    let ours = comparison.row(OURS, question, Memory::Coherent)?;
    let ours = comparison.nanoseconds(ours);
    let peers = comparison.rows.iter().filter(|row| row.engine != OURS);
    let (best, theirs) = peers
        .filter(|row| row.method.question == question)
        .map(|row| (row, comparison.nanoseconds(row)))
        .min_by(|p, q| p.1.total_cmp(&q.1))?;
    Some(format!(
        "| {} | {} | {ours:.0} | {} {} | {theirs:.0} | {:.1} |\n",
        comparison.workload,
        question.name(),
        best.engine,
        best.method.memory.name(),
        theirs / ours,
    ))
}

/// All engines on one recording, a line for each memory.
fn table(comparison: &Comparison) -> String {
    let Comparison {
        workload,
        candidates,
        overlapping,
        rows,
    } = comparison;
    let mut text = format!(
        "\n## {workload}\n\n{candidates} candidates, {overlapping} of them intersect.\n\n\
         | engine | memory | intersects | wrong | distance | wrong | off | signed | wrong | off |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
    );
    let mut engines: Vec<&str> = Vec::new();
    for row in rows {
        if !engines.contains(&row.engine.as_str()) {
            engines.push(&row.engine);
        }
    }
    for engine in engines {
        for memory in [Memory::Coherent, Memory::Cold] {
            let rows = QUESTIONS.map(|question| comparison.row(engine, question, memory));
            if rows.iter().any(Option::is_some) {
                let cells = QUESTIONS.into_iter().zip(rows);
                let cells = cells.map(|(question, row)| cells_of(comparison, question, row));
                let cells: String = cells.collect();
                text += &format!("| {engine} | {} |{cells}\n", memory.name());
            }
        }
    }
    text
}

/// The columns of one question: time, wrong booleans, and wrong numbers where the answer is one.
fn cells_of(comparison: &Comparison, question: Question, row: Option<&Row>) -> String {
    let is_boolean = question == Question::Intersects;
    let Some(row) = row else {
        return if is_boolean { " | |" } else { " | | |" }.to_owned();
    };
    let errors = row.errors;
    let time = comparison.nanoseconds(row);
    let wrong = errors.invented + errors.missed;
    if is_boolean {
        return format!(" {time:.0} | {} |", wrong + errors.none);
    }
    let off = errors.off + errors.none;
    format!(" {time:.0} | {wrong} | {off} ({:.0e}) |", errors.largest)
}
