//! `impinge simulate --continuous`: bodies that bounce, from impact to impact, with what must be conserved.

use super::Arguments;
use clap::{Args, ValueEnum};
use impinge::Error;
use impinge::broad::BroadPhaseKind;
use impinge::world::continuous::{
    ContinuousEvent, ContinuousOptions, ContinuousStats, Pruning, Schedule,
};
use impinge_scenes::elastic::{BodyKind, Elastic, ElasticOptions};
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

/// What belongs to continuous time alone.
#[derive(Debug, Clone, Args)]
pub(super) struct Continuous {
    /// Continuous time: bodies of equal mass bounce off each other and off the walls, and nothing is missed between frames
    #[arg(long)]
    pub(super) continuous: bool,
    /// With --continuous: what bounces
    #[arg(long, value_enum, default_value_t = Bouncing::Polytopes)]
    pub(super) kind: Bouncing,
    /// With --continuous: stop after so many impacts
    #[arg(long, default_value_t = 10_000)]
    pub(super) impacts: u64,
    /// With --continuous: check at every impact, exactly, that no body is in any other
    #[arg(long)]
    pub(super) check: bool,
    /// With --continuous: how pairs that cannot meet are left out
    #[arg(long, value_enum, default_value_t = Pruned::Hybrid)]
    pub(super) pruning: Pruned,
    /// With --continuous: how impacts are found: prediction, bisection or fixed-step
    #[arg(long, default_value_t)]
    pub(super) schedule: Schedule,
}

impl Default for Continuous {
    fn default() -> Continuous {
        Continuous {
            continuous: false,
            kind: Bouncing::Polytopes,
            impacts: 10_000,
            check: false,
            pruning: Pruned::Hybrid,
            schedule: Schedule::default(),
        }
    }
}

/// What bounces, as it is named here.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Bouncing {
    /// Balls
    Balls,
    /// Rings of 64 triangles
    Rings,
    /// Polytopes of as many faces as --faces says
    Polytopes,
}

/// Prunings, as they are named here.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Pruned {
    /// Swept boxes or moving ones, whichever costs less
    Hybrid,
    /// Kinetic sweep and prune
    Kinetic,
    /// Sweep and prune with swept boxes, 60 times in a unit of time
    Frames,
    /// All pairs
    Nothing,
}

impl From<Pruned> for Pruning {
    fn from(pruned: Pruned) -> Pruning {
        match pruned {
            Pruned::Hybrid => Pruning::Hybrid,
            Pruned::Kinetic => Pruning::Kinetic,
            Pruned::Frames => Pruning::Frames {
                interval: 1.0 / 60.0,
                broad_phase: BroadPhaseKind::Sweep,
            },
            Pruned::Nothing => Pruning::Nothing,
        }
    }
}

/// What a run came to.
#[derive(Serialize)]
struct Report {
    bodies: usize,
    impacts: u64,
    impacts_with_walls: u64,
    time: f64,
    seconds: f64,
    /// Seconds for a unit of time.
    ratio: f64,
    energy_drift: f64,
    momentum_drift: f64,
    /// Impacts at which overlaps were looked for, and how many there were.
    checked: u64,
    overlaps: u64,
    rested: u64,
    tests: u64,
    swaps: u64,
    frames: u64,
    switches: u64,
}

/// Runs until there were so many impacts, and prints what came of it.
pub(super) fn run(args: &Arguments) -> io::Result<ExitCode> {
    let report = match simulate(args) {
        Ok(report) => report,
        Err(error) => {
            eprintln!("impinge: {error}");
            return Ok(ExitCode::from(2));
        }
    };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::json!(report))?;
    } else {
        report.write(&mut out)?;
    }
    Ok(if report.overlaps == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn simulate(args: &Arguments) -> Result<Report, Error> {
    let own = &args.continuous;
    let scene = ElasticOptions {
        bodies: args.bodies,
        kind: match own.kind {
            Bouncing::Balls => BodyKind::Balls,
            Bouncing::Rings => BodyKind::Rings,
            Bouncing::Polytopes => BodyKind::Polytopes(args.faces),
        },
        density_percent: args.density,
        seed: args.seed,
        ..ElasticOptions::default()
    };
    let options = ContinuousOptions {
        pruning: own.pruning.into(),
        schedule: own.schedule,
        ..ContinuousOptions::default()
    };
    let mut scene = Elastic::new(&scene, options)?;
    let (energy, momentum) = (scene.energy()?, scene.momentum()?);
    let (mut checked, mut overlaps) = (0, 0);
    let begun = Instant::now();
    while scene.impacts.iter().sum::<u64>() < own.impacts {
        let Some(event) = scene.world.next_event(FAR)? else {
            break;
        };
        if own.check
            && let ContinuousEvent::Impact(_) | ContinuousEvent::Rested(_) = &event
        {
            checked += 1;
            overlaps += u64::from(scene.overlap()?.is_some());
        }
        scene.answer(&event)?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    let time = scene.world.time();
    let ContinuousStats {
        rested,
        tests,
        swaps,
        frames,
        switches,
        ..
    } = scene.world.stats();
    Ok(Report {
        bodies: scene.bodies.len(),
        impacts: scene.impacts[0],
        impacts_with_walls: scene.impacts[1],
        time,
        seconds,
        ratio: seconds / time,
        energy_drift: (scene.energy()? - energy).abs() / energy,
        momentum_drift: scene.momentum()?.distance(momentum),
        checked,
        overlaps,
        rested,
        tests,
        swaps,
        frames,
        switches,
    })
}

/// A time that is not reached.
const FAR: f64 = 1e9;

impl Report {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "{} bodies, {} impacts of two and {} with walls in {:.3} units of time: {:.2} s, {:.4} s a unit",
            self.bodies, self.impacts, self.impacts_with_walls, self.time, self.seconds, self.ratio
        )?;
        writeln!(
            out,
            "drift: energy {:.1e} of what it was, momentum {:.1e} with a mass of 1 a body",
            self.energy_drift, self.momentum_drift
        )?;
        if self.checked > 0 {
            writeln!(
                out,
                "overlaps: {} at {} impacts, all bodies checked exactly",
                self.overlaps, self.checked
            )?;
        }
        writeln!(
            out,
            "work: {} tests of pairs, {} swaps, {} frames, {} switches, {} rests",
            self.tests, self.swaps, self.frames, self.switches, self.rested
        )
    }
}
