//! Impinge beside other collision libraries: the same recorded work, the same pairs, one run.
//!
//! `impinge-peers [--repeat N] [--pairs] TRACE...` prints, for each recording, engine and method, the nanoseconds a pair
//! and how many answers were wrong. Engines take turns within each repetition, and the fastest repetition counts, so that
//! a busy machine disturbs all alike. With `--pairs` only the candidate pairs are written, to `TRACE.pairs`.

mod engines;
mod truth;
mod work;

use engines::{Engine, Method, Question};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use truth::{Errors, Truth};
use work::Work;

/// One line of the table.
struct Row {
    engine: usize,
    method: Method,
    nanoseconds: f64,
    errors: Errors,
}

fn main() -> ExitCode {
    let mut repeat = 5;
    let mut only_pairs = false;
    let mut traces = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--pairs" => only_pairs = true,
            "--repeat" => match arguments.next().and_then(|n| n.parse().ok()) {
                Some(number) => repeat = number,
                None => return usage("--repeat needs a number"),
            },
            _ if argument.starts_with('-') => return usage("unknown option"),
            _ => traces.push(PathBuf::from(argument)),
        }
    }
    if traces.is_empty() {
        return usage("no trace was given");
    }
    println!(
        "workload,engine,question,coherent,pairs,ns_pair,compared,no_answer,invented,missed,off_1e-5,off_1e-3,largest_error"
    );
    for path in &traces {
        let work = match Work::load(path) {
            Ok(work) => work,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        };
        if only_pairs {
            let mut beside = path.clone().into_os_string();
            beside.push(".pairs");
            if let Err(error) = work.write_pairs(beside.as_ref()) {
                eprintln!("{}: {error}", beside.display());
                return ExitCode::FAILURE;
            }
        } else {
            compare(&work, repeat);
        }
    }
    ExitCode::SUCCESS
}

fn usage(problem: &str) -> ExitCode {
    eprintln!("{problem}\nusage: impinge-peers [--repeat N] [--pairs] TRACE...");
    ExitCode::from(2)
}

/// All engines on one recording.
fn compare(work: &Work, repeat: usize) {
    let truth = Truth::of(work);
    let mut engines = engines_for(work);
    let mut rows: Vec<Row> = Vec::new();
    for _ in 0..repeat {
        for (engine, library) in engines.iter_mut().enumerate() {
            for method in library.methods() {
                let (nanoseconds, answers) = run(work, library.as_mut(), method);
                let known = rows
                    .iter_mut()
                    .find(|row| row.engine == engine && row.method == method);
                match known {
                    Some(row) => row.nanoseconds = row.nanoseconds.min(nanoseconds),
                    None => rows.push(Row {
                        engine,
                        method,
                        nanoseconds,
                        errors: Errors::of(method.question, &answers, &truth),
                    }),
                }
            }
        }
    }
    let order = |question: Question| question as usize;
    rows.sort_by(|p, q| {
        let questions = order(p.method.question).cmp(&order(q.method.question));
        questions.then(p.nanoseconds.total_cmp(&q.nanoseconds))
    });
    for row in &rows {
        let Errors {
            compared,
            none,
            invented,
            missed,
            off_a_little,
            off_much,
            largest,
        } = row.errors;
        println!(
            "{},{},{:?},{},{},{:.1},{compared},{none},{invented},{missed},{off_a_little},{off_much},{largest:.1e}",
            work.name,
            engines[row.engine].name(),
            row.method.question,
            row.method.is_coherent,
            work.candidate_count(),
            row.nanoseconds,
        );
    }
}

fn engines_for(work: &Work) -> Vec<Box<dyn Engine + '_>> {
    let mut engines: Vec<Box<dyn Engine + '_>> =
        vec![Box::new(engines::impinge::Impinge::new(work))];
    match engines::parry32::Parry::new(work) {
        Some(engine) => engines.push(Box::new(engine)),
        None => eprintln!("{}: parry3d refuses a shape", work.name),
    }
    match engines::parry64::Parry::new(work) {
        Some(engine) => engines.push(Box::new(engine)),
        None => eprintln!("{}: parry3d-f64 refuses a shape", work.name),
    }
    #[cfg(feature = "box3d")]
    match engines::box3d::Box3d::new(work) {
        Some(engine) => engines.push(Box::new(engine)),
        None => eprintln!("{}: a shape is beyond the limits of box3d", work.name),
    }
    engines
}

/// One method on all frames: nanoseconds a pair, and all answers.
fn run(work: &Work, engine: &mut dyn Engine, method: Method) -> (f64, Vec<f64>) {
    engine.forget();
    let mut seconds = 0.0;
    let mut all = Vec::with_capacity(work.candidate_count());
    let mut answers = Vec::new();
    for frame in &work.frames {
        engine.place(frame);
        let start = Instant::now();
        engine.answer(method, &frame.candidates, &mut answers);
        seconds += start.elapsed().as_secs_f64();
        all.extend_from_slice(&answers);
    }
    (seconds * 1e9 / work.candidate_count().max(1) as f64, all)
}
