//! One point of a figure: the same simulation by each method.

use impinge::broad::BroadPhaseKind;
use impinge::world::continuous::{ContinuousOptions, Pruning};
use impinge::{Error, Vec3};
use impinge_scenes::elastic::{Elastic, ElasticOptions};
use std::time::Instant;

/// A way to leave out pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// Cached dynamic collision detection: all pairs.
    Unpruned,
    /// Sweep and prune with swept boxes, at the rate.
    Swept,
    /// Kinetic sweep and prune.
    Kinetic,
    /// The default.
    Hybrid,
}

impl Method {
    pub(super) const ALL: [Method; 4] = [
        Method::Unpruned,
        Method::Swept,
        Method::Kinetic,
        Method::Hybrid,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Method::Unpruned => "unpruned",
            Method::Swept => "swept",
            Method::Kinetic => "kinetic",
            Method::Hybrid => "hybrid",
        }
    }

    pub(super) fn describe(self) -> &'static str {
        match self {
            Method::Unpruned => "cached dynamic, no pruning",
            Method::Swept => "sweep and prune, swept boxes",
            Method::Kinetic => "kinetic sweep and prune",
            Method::Hybrid => "hybrid, the default",
        }
    }

    fn pruning(self, rate: f64) -> Pruning {
        match self {
            Method::Unpruned => Pruning::Nothing,
            Method::Swept => Pruning::Frames {
                interval: 1.0 / rate,
                broad_phase: BroadPhaseKind::Sweep,
            },
            Method::Kinetic => Pruning::Kinetic,
            Method::Hybrid => Pruning::Hybrid,
        }
    }
}

/// What a method took and did. Times are for a unit of time simulated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) method: Method,
    /// Impacts while it was measured.
    impacts: u64,
    pub(super) total: f64,
    pub(super) updating: f64,
    pub(super) sorting: f64,
    pub(super) testing: f64,
    pub(super) began: f64,
    pub(super) tests: f64,
    pub(super) swaps: f64,
    pub(super) frames: f64,
    pub(super) switches: f64,
}

/// A point of a figure.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) value: f64,
    /// Impacts while it was measured.
    pub(super) impacts: f64,
    pub(super) entries: Vec<Entry>,
}

impl Point {
    pub(super) fn entry(&self, method: Method) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.method == method)
    }
}

/// How a simulation ended: all methods must come to the same.
#[derive(Debug, Clone, PartialEq)]
struct End {
    impacts: [u64; 2],
    places: Vec<Vec3>,
}

/// Points of little time take up to so many times the rounds, until all methods together took [`ENOUGH`] seconds.
const MORE: usize = 5;
const ENOUGH: f64 = 2.0;

/// Measures all methods, some rounds of them one after the other, each by its median round.
pub(super) fn measure(
    scene: &ElasticOptions,
    rate: f64,
    seconds: f64,
    methods: &[Method],
    rounds: usize,
) -> Result<Point, String> {
    let mut all: Vec<Vec<Entry>> = methods.iter().map(|_| Vec::new()).collect();
    let mut end: Option<End> = None;
    let begun = Instant::now();
    for round in 0..MORE * rounds {
        if round >= rounds && begun.elapsed().as_secs_f64() >= ENOUGH {
            break;
        }
        for (method, entries) in methods.iter().zip(&mut all) {
            let run = simulate(scene, *method, rate, seconds);
            let (entry, own) = run.map_err(|error| error.to_string())?;
            entries.push(entry);
            if end.get_or_insert_with(|| own.clone()) != &own {
                return Err(format!("{} comes to another end", method.name()));
            }
        }
    }
    let entries = all.into_iter().map(|mut entries| {
        entries.sort_by(|a, b| a.total.total_cmp(&b.total));
        entries[entries.len() / 2]
    });
    let entries: Vec<Entry> = entries.collect();
    Ok(Point {
        value: 0.0,
        impacts: entries.first().map_or(0.0, |entry| entry.impacts as f64),
        entries,
    })
}

/// How long a simulation runs before it is measured, or a frame if that is longer.
const WARM_UP: f64 = 0.25;

fn simulate(
    scene: &ElasticOptions,
    method: Method,
    rate: f64,
    seconds: f64,
) -> Result<(Entry, End), Error> {
    let options = ContinuousOptions {
        pruning: method.pruning(rate),
        ..ContinuousOptions::default()
    };
    let mut scene = Elastic::new(scene, options)?;
    // Lists are built and pairs of the start found before the clock runs, and at least one frame is over.
    let first = (WARM_UP * rate).ceil() as u64;
    scene.advance_to(first as f64 / rate)?;
    let (before, impacts_before) = (scene.world.stats(), scene.impacts);
    let begun = Instant::now();
    let frames = (seconds * rate).ceil() as u64;
    for frame in first + 1..=first + frames {
        scene.advance_to(frame as f64 / rate)?;
    }
    let total = begun.elapsed().as_secs_f64();
    let simulated = frames as f64 / rate;
    let stats = scene.world.stats();
    let of = |time: std::time::Duration| time.as_secs_f64() / simulated;
    let impacts = scene.impacts.iter().sum::<u64>() - impacts_before.iter().sum::<u64>();
    let entry = Entry {
        method,
        impacts,
        total: total / simulated,
        updating: of(stats.updating.saturating_sub(before.updating)),
        sorting: of(stats.sorting.saturating_sub(before.sorting)),
        testing: of(stats.testing.saturating_sub(before.testing)),
        began: (stats.began - before.began) as f64,
        tests: (stats.tests - before.tests) as f64,
        swaps: (stats.swaps - before.swaps) as f64,
        frames: (stats.frames - before.frames) as f64,
        switches: (stats.switches - before.switches) as f64,
    };
    let places = scene.bodies.iter().map(|body| {
        let pose = scene.world.pose(*body)?;
        Ok(pose.translation())
    });
    let places = places.collect::<Result<Vec<Vec3>, Error>>()?;
    let impacts = scene.impacts;
    Ok((entry, End { impacts, places }))
}
