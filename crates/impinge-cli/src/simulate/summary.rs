//! What a run came to: for people, and as JSON.

use super::Arguments;
use super::memory::Reading;
use super::simulation::Simulation;
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;

/// The whole run.
#[derive(Serialize)]
pub(super) struct Summary {
    bodies: usize,
    frames: usize,
    pairs_a_frame: f64,
    contacts_a_frame: f64,
    ms: StageMs,
    frames_a_second: f64,
    decided: Decided,
    /// With `--memory`: how much was held along the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    memory: Vec<Reading>,
}

/// Milliseconds a frame. The motion is the scene's own work and not part of the total.
#[derive(Serialize)]
struct StageMs {
    motion: f64,
    boxes: f64,
    pairs: f64,
    contacts: f64,
    total: f64,
}

/// How many exact decisions each level of arithmetic made.
#[derive(Serialize)]
struct Decided {
    filter: u64,
    expansion: u64,
    big_integer: u64,
}

impl Summary {
    pub(super) fn new(simulation: &Simulation, frames: usize, memory: Vec<Reading>) -> Summary {
        let frames_f = frames.max(1) as f64;
        let ms = |time: Duration| time.as_secs_f64() * 1e3 / frames_f;
        let (time, counts) = (&simulation.time, simulation.decisions);
        let total = ms(time.boxes) + ms(time.pairs) + ms(time.contacts);
        Summary {
            bodies: simulation.scene.len(),
            frames,
            pairs_a_frame: simulation.pairs as f64 / frames_f,
            contacts_a_frame: simulation.contacts as f64 / frames_f,
            ms: StageMs {
                motion: ms(time.motion),
                boxes: ms(time.boxes),
                pairs: ms(time.pairs),
                contacts: ms(time.contacts),
                total,
            },
            frames_a_second: if total > 0.0 { 1e3 / total } else { 0.0 },
            decided: Decided {
                filter: counts.filter,
                expansion: counts.expansion,
                big_integer: counts.big,
            },
            memory,
        }
    }

    /// The summary for somebody who has never seen one.
    pub(super) fn write(&self, out: &mut impl Write, args: &Arguments) -> io::Result<()> {
        let (ms, decided) = (&self.ms, &self.decided);
        let threads = match args.threads {
            0 => "all threads".to_owned(),
            1 => "1 thread".to_owned(),
            count => format!("{count} threads"),
        };
        writeln!(
            out,
            "{} bodies, each a polytope of {} faces, tumbled through a cube for {} frames, filling {} % of it.\n",
            self.bodies, args.faces, self.frames, args.density
        )?;
        let mut line = |name: &str, value: String, meaning: &str| {
            let text = format!("  {name:<24}{value:>12}   {meaning}");
            writeln!(out, "{}", text.trim_end())
        };
        let time = |ms: f64| format!("{ms:.3} ms");
        line("In an average frame", String::new(), "")?;
        line(
            "  pairs",
            format!("{:.1}", self.pairs_a_frame),
            "bodies so near each other that their bounding boxes overlap",
        )?;
        line(
            "  contacts",
            format!("{:.1}", self.contacts_a_frame),
            "of these pairs intersect: not roughly, exactly",
        )?;
        line("Time a frame", String::new(), "")?;
        line(
            "  boxes",
            time(ms.boxes),
            "a bounding box around each body where it is now",
        )?;
        line("  pairs", time(ms.pairs), "which of these boxes overlap")?;
        line(
            "  contacts",
            time(ms.contacts),
            "which of those bodies intersect",
        )?;
        line(
            "  together",
            time(ms.total),
            &format!("{:.0} frames a second on {threads}", self.frames_a_second),
        )?;
        line("Exactness", String::new(), "")?;
        line(
            "  quick decisions",
            decided.filter.to_string(),
            "by floating point, with a bound on its rounding errors",
        )?;
        line(
            "  exact fall-backs",
            (decided.expansion + decided.big_integer).to_string(),
            &format!(
                "where the bound left a doubt ({} by sums of floats, {} by big integers)",
                decided.expansion, decided.big_integer
            ),
        )
    }
}
