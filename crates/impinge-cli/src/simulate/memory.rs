//! How much memory the program holds along a run.

use serde::Serialize;
use std::fs;
use std::io::{self, Write};

/// How many readings a run has.
const READINGS: usize = 20;

/// The memory of the program at one time.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Reading {
    /// After so many frames.
    pub(super) frame: usize,
    /// What the system says is resident.
    pub(super) bytes: u64,
}

/// Readings at even distances.
pub(super) struct Readings {
    every: usize,
    readings: Vec<Reading>,
}

impl Readings {
    /// For a run of so many frames.
    pub(super) fn new(frames: usize) -> Readings {
        Readings {
            every: (frames / READINGS).max(1),
            readings: Vec::new(),
        }
    }

    /// Takes a reading when one is due; says what it is.
    pub(super) fn take(&mut self, frame: usize) -> io::Result<Option<Reading>> {
        if !frame.is_multiple_of(self.every) {
            return Ok(None);
        }
        let reading = Reading {
            frame,
            bytes: resident_bytes()?,
        };
        self.readings.push(reading);
        Ok(Some(reading))
    }

    pub(super) fn into_vec(self) -> Vec<Reading> {
        self.readings
    }
}

impl Reading {
    pub(super) fn megabytes(&self) -> f64 {
        self.bytes as f64 / 1e6
    }
}

/// What is left of the growth once structures have found their sizes: from the first tenth of the readings on.
pub(super) fn write_verdict(out: &mut impl Write, readings: &[Reading]) -> io::Result<()> {
    let warm = readings.get(readings.len() / 10);
    if let (Some(warm), Some(last)) = (warm, readings.last()) {
        let growth = (last.megabytes() / warm.megabytes() - 1.0) * 100.0;
        writeln!(
            out,
            "\nMemory: {:.1} MB after {} frames, {:.1} MB after {}: {growth:+.1} %",
            warm.megabytes(),
            warm.frame,
            last.megabytes(),
            last.frame
        )?;
    }
    Ok(())
}

/// The resident memory of this program, from Linux's `/proc`.
fn resident_bytes() -> io::Result<u64> {
    let path = "/proc/self/status";
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{path}: {error}"));
    let status = fs::read_to_string(path).map_err(named)?;
    resident(&status).ok_or_else(|| io::Error::other(format!("{path}: no resident memory in it")))
}

/// The number of bytes in a line like `VmRSS:     1234 kB`.
fn resident(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resident_memory_is_read_or_missed() {
        let status = "Name:\timpinge\nVmRSS:\t    2048 kB\nThreads:\t1\n";
        assert_eq!(resident(status), Some(2 << 20));
        assert_eq!(resident("Name:\timpinge\n"), None);
        assert_eq!(resident("VmRSS:\tlots kB\n"), None);
    }

    #[test]
    fn growth_counts_from_the_first_tenth() {
        let bytes = [1, 100, 101, 102, 103, 104, 105, 106, 107, 110];
        let readings: Vec<Reading> = (1..)
            .zip(bytes)
            .map(|(frame, megabytes)| Reading {
                frame,
                bytes: megabytes * 1_000_000,
            })
            .collect();
        let mut out = Vec::new();
        write_verdict(&mut out, &readings).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.ends_with("100.0 MB after 2 frames, 110.0 MB after 10: +10.0 %\n"),
            "{text}"
        );
    }
}
