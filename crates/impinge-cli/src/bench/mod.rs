//! `impinge bench NAME`: the experiments, each with a table, the same as CSV, and a plot.
//!
//! One file an experiment; [`table`] and [`plot`] are shared by all.

mod broad;
mod budget;
mod icollide;
mod kinetic;
mod plot;
mod table;
mod trees;
mod vertices;

use clap::{Args, Subcommand};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use table::Table;

/// Run an experiment: a table on the screen, CSV and plots into a folder
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    experiment: Experiment,
    /// Write NAME.csv and NAME-*.svg, and NAME.md if it writes its own page, into this folder
    #[arg(long, global = true, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print the table as JSON
    #[arg(long, global = true)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  impinge bench vertices                          cost against the number of vertices
  impinge bench broad --scenes uniform,dice       every broad phase on two scenes
  impinge bench budget --frames 50                error of an answer against what is spent on it
  impinge bench icollide --points 5               the graphs of I-COLLIDE, quickly
  impinge bench kinetic --most 1000               Figures 6 to 8 of Coming and Staadt, quickly
  impinge bench trees --triangles 1000            every bounding volume on pairs of meshes
  impinge bench vertices --out docs/experiments   with CSV and plots";

#[derive(Debug, Subcommand)]
enum Experiment {
    Broad(broad::Arguments),
    Budget(budget::Arguments),
    Icollide(icollide::Arguments),
    Kinetic(kinetic::Arguments),
    Trees(trees::Arguments),
    Vertices(vertices::Arguments),
}

/// What an experiment leaves behind.
struct Outcome {
    name: &'static str,
    table: Table,
    /// File name endings and SVG texts.
    plots: Vec<(&'static str, String)>,
    /// What the numbers say, a sentence each.
    remarks: Vec<String>,
    /// A page in Markdown around table and plots, for experiments that write their own.
    page: Option<String>,
}

/// Runs the experiment, prints and writes what it found.
pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    let outcome = match &arguments.experiment {
        Experiment::Broad(own) => broad::run(own),
        Experiment::Budget(own) => budget::run(own),
        Experiment::Icollide(own) => icollide::run(own),
        Experiment::Kinetic(own) => kinetic::run(own),
        Experiment::Trees(own) => trees::run(own),
        Experiment::Vertices(own) => vertices::run(own),
    };
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(message) => {
            eprintln!("impinge: {message}");
            return Ok(ExitCode::FAILURE);
        }
    };
    let mut out = io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", outcome.table.to_json())?;
    } else {
        write!(out, "{}", outcome.table.to_text())?;
        for remark in &outcome.remarks {
            writeln!(out, "{remark}")?;
        }
    }
    if let Some(folder) = &arguments.out
        && let Err(error) = write_files(folder, &outcome)
    {
        eprintln!("{}: {error}", folder.display());
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn write_files(folder: &Path, outcome: &Outcome) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let name = outcome.name;
    fs::write(folder.join(format!("{name}.csv")), outcome.table.to_csv())?;
    if let Some(page) = &outcome.page {
        fs::write(folder.join(format!("{name}.md")), page)?;
    }
    for (ending, svg) in &outcome.plots {
        fs::write(folder.join(format!("{name}-{ending}.svg")), svg)?;
    }
    Ok(())
}
