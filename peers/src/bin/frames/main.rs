//! Whole frames beside each other: new poses in, intersecting pairs out.
//!
//! `impinge-peers-frames [--rounds N] [--peer PROGRAM]... [--out FOLDER] TRACE...` prints a page in Markdown: for each recording
//! and engine the milliseconds a frame, the work, and every answer compared with exact arithmetic. With `--out` the page goes
//! to `peers.md` in that folder, and the pairs on which an engine is wrong to `peers-wrong.csv`.
//!
//! A frame is everything from poses in the types of the library to the list of pairs that intersect. In every round engines
//! take turns; of each frame the median round counts. At its turn an engine goes through all frames twice, and the second time
//! counts: in a running program, shapes and code are where the processor finds them, and here other engines came before.

mod engines;
mod page;
mod truth;

use engines::{Engine, Run};
use impinge_peers::work::Work;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use truth::{Truth, Wrong};

const USAGE: &str =
    "usage: impinge-peers-frames [--rounds N] [--peer PROGRAM]... [--out FOLDER] TRACE...";

struct Arguments {
    rounds: usize,
    peers: Vec<PathBuf>,
    out: Option<PathBuf>,
    traces: Vec<PathBuf>,
}

/// All engines on one recording.
struct Comparison {
    workload: String,
    bodies: usize,
    frames: usize,
    /// Pairs that intersect, in all frames together.
    intersecting: usize,
    rows: Vec<Row>,
}

/// How one engine did.
struct Row {
    engine: String,
    /// For each frame the median round: seconds until the candidates are known, and of the whole.
    seconds: Vec<[f64; 2]>,
    candidates: usize,
    hits: usize,
    /// The work of one round, in words.
    work: String,
    wrong: Vec<Wrong>,
}

fn main() -> ExitCode {
    let arguments = match parse(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("{problem}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match compare_all(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments {
        rounds: 5,
        peers: Vec::new(),
        out: None,
        traces: Vec::new(),
    };
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--rounds" => {
                let rounds = value()?.parse().ok().filter(|rounds| *rounds > 0);
                arguments.rounds = rounds.ok_or("--rounds needs a number")?;
            }
            "--peer" => arguments.peers.push(value()?.into()),
            "--out" => arguments.out = Some(value()?.into()),
            _ if word.starts_with('-') => return Err(format!("{word}: unknown option")),
            _ => arguments.traces.push(word.into()),
        }
    }
    match arguments.traces.is_empty() {
        true => Err("no trace was given".to_owned()),
        false => Ok(arguments),
    }
}

fn compare_all(arguments: &Arguments) -> Result<(), String> {
    if let Some(folder) = &arguments.out {
        // Before minutes of work that could not be written down.
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let traces = arguments.traces.iter();
    let comparisons = traces
        .map(|trace| compare(trace, arguments))
        .collect::<Result<Vec<_>, String>>()?;
    let page = page::page(&comparisons, arguments.rounds);
    let Some(folder) = &arguments.out else {
        print!("{page}");
        return Ok(());
    };
    for (name, text) in [
        ("peers.md", page),
        ("peers-wrong.csv", page::wrong_csv(&comparisons)),
    ] {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// All engines on one recording.
fn compare(trace: &Path, arguments: &Arguments) -> Result<Comparison, String> {
    let work = Work::load(trace).map_err(|error| error.to_string())?;
    eprintln!("{}: finding the exact answers", work.name);
    let truth = Truth::of(&work);
    let mut engines = engines::all(&work, &arguments.peers)?;
    let mut runs: Vec<Vec<Run>> = engines.iter().map(|_| Vec::new()).collect();
    for round in 1..=arguments.rounds {
        eprintln!("{}: round {round} of {}", work.name, arguments.rounds);
        for (engine, runs) in engines.iter_mut().zip(&mut runs) {
            engine.run(&work)?;
            let mut run = engine.run(&work)?;
            if round > 1 {
                run.hits.clear();
            }
            runs.push(run);
        }
    }
    let rows = engines.iter().zip(&runs);
    Ok(Comparison {
        workload: work.name.clone(),
        bodies: work.trace.shape_of.len(),
        frames: work.trace.frames.len(),
        intersecting: truth.intersecting.iter().map(Vec::len).sum(),
        rows: rows
            .map(|(engine, runs)| Row::new(engine.as_ref(), runs, &work, &truth))
            .collect(),
    })
}

impl Row {
    fn new(engine: &dyn Engine, runs: &[Run], work: &Work, truth: &Truth) -> Row {
        let frames = 0..work.trace.frames.len();
        let median = |frame: usize, part: usize| {
            let mut rounds: Vec<f64> = runs.iter().map(|run| run.seconds[frame][part]).collect();
            rounds.sort_by(f64::total_cmp);
            rounds[rounds.len() / 2]
        };
        let first = &runs[0];
        Row {
            engine: engine.name().to_owned(),
            seconds: frames
                .map(|frame| [median(frame, 0), median(frame, 1)])
                .collect(),
            candidates: first.candidates,
            hits: first.hits.iter().map(Vec::len).sum(),
            work: first.work.clone(),
            wrong: truth.compare(work, &first.hits),
        }
    }

    /// Milliseconds of the median frame: until the candidates are known, and of the whole.
    fn median(&self) -> [f64; 2] {
        [0, 1].map(|part| {
            let mut times: Vec<f64> = self.seconds.iter().map(|frame| frame[part]).collect();
            times.sort_by(f64::total_cmp);
            times[times.len() / 2] * 1e3
        })
    }

    /// Milliseconds of a frame on average, without the first, in which structures are built.
    fn mean(&self) -> f64 {
        let later = self.seconds.get(1..).unwrap_or_default();
        later.iter().map(|frame| frame[1]).sum::<f64>() * 1e3 / later.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(engine: &str, seconds: &[f64]) -> Row {
        Row {
            engine: engine.to_owned(),
            seconds: seconds.iter().map(|whole| [whole / 2.0, *whole]).collect(),
            candidates: 10,
            hits: 4,
            work: String::new(),
            wrong: Vec::new(),
        }
    }

    #[test]
    fn frames_are_summed_up() {
        let row = row("impinge", &[0.9, 0.001, 0.003, 0.002]);
        let [broad, whole] = row.median();
        assert!((broad - 1.5).abs() < 1e-9 && (whole - 3.0).abs() < 1e-9);
        assert!((row.mean() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn the_page_names_the_best_peer_and_every_wrong_pair() {
        let mut slow = row("slow", &[0.02]);
        slow.wrong.push(Wrong {
            frame: 3,
            pair: [7, 9],
            is_hit: true,
            distance: 0.25,
        });
        let comparison = Comparison {
            workload: "crowd".to_owned(),
            bodies: 20,
            frames: 1,
            intersecting: 3,
            rows: vec![row("impinge", &[0.001]), slow, row("fast", &[0.005])],
        };
        let page = page::page(std::slice::from_ref(&comparison), 1);
        assert!(
            page.contains("| crowd | 1.000 | fast | 5.000 | 5.0 | 50000 | 25000 |"),
            "{page}"
        );
        assert!(page.contains("frame 3, bodies 7 and 9"), "{page}");
        let csv = page::wrong_csv(&[comparison]);
        assert!(csv.contains("crowd,slow,3,7,9,intersect,0.25"), "{csv}");
    }

    #[test]
    fn arguments_are_understood_or_refused() {
        let parse = |text: &str| parse(text.split_whitespace().map(str::to_owned));
        let arguments = parse("--rounds 3 --peer x --out y a.ctrace").expect("it is right");
        assert_eq!((arguments.rounds, arguments.peers.len()), (3, 1));
        assert_eq!(arguments.out, Some("y".into()));
        for wrong in [
            "",
            "--rounds 0 a",
            "--rounds",
            "--peer",
            "--what a",
            "--out",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
