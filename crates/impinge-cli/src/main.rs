//! The program `impinge`: arguments in, an exit code out. One file a command, and no geometry here.
//!
//! Exit codes: 0 when the question was answered, 1 when some of it could not be (the reasons are on standard error),
//! 2 for wrong usage.

mod bench;
mod check;
mod engine;
mod inspect;
mod query;
mod repair;
mod replay;
mod report;
mod robot;
mod simulate;

use clap::{Parser, Subcommand};
use std::io::{self, ErrorKind};
use std::process::ExitCode;

/// Exact collision detection: questions about models and scenes.
///
/// Without a command: 1000 polytopes tumble in a cube for 200 frames.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  impinge                              the built-in scene, with a summary
  impinge simulate --density 10        a denser one
  impinge simulate --record run.trace  write its motion to a file
  impinge replay run.trace             and run it through any method
  impinge inspect part.stl             what is wrong with a model
  impinge repair part.stl mended.obj   mend it
  impinge check peg.stl hole.stl       do two models touch, how far are they apart
  impinge bench vertices               an experiment
  impinge query questions.jsonl        many questions at once
  impinge robot arm.urdf               which links of a robot touch each other
  impinge help inspect                 all about a command";

#[derive(Debug, Subcommand)]
enum Command {
    Bench(bench::Arguments),
    Inspect(inspect::Arguments),
    Repair(repair::Arguments),
    Replay(replay::Arguments),
    Check(Box<check::Arguments>),
    Query(query::Arguments),
    Robot(robot::Arguments),
    Simulate(simulate::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Some(Command::Bench(arguments)) => bench::run(&arguments),
        Some(Command::Inspect(arguments)) => inspect::run(&arguments),
        Some(Command::Repair(arguments)) => repair::run(&arguments),
        Some(Command::Replay(arguments)) => replay::run(&arguments),
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Query(arguments)) => query::run(&arguments),
        Some(Command::Robot(arguments)) => robot::run(&arguments),
        Some(Command::Simulate(arguments)) => simulate::run(&arguments),
        None => simulate::run(&simulate::Arguments::default()),
    };
    outcome.unwrap_or_else(|error| report_lost_output(&error))
}

/// The exit code when standard output could not be written. That its reader went away (`| head`) is no error.
fn report_lost_output(error: &io::Error) -> ExitCode {
    if error.kind() == ErrorKind::BrokenPipe {
        return ExitCode::SUCCESS;
    }
    eprintln!("impinge: standard output: {error}");
    ExitCode::FAILURE
}
