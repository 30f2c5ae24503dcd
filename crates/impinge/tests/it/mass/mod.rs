//! The library against the oracle, by the million.
//!
//! Small counts run by default. The full ones, 2 000 000 pairs of triangles and 200 000 pairs of hulls among them, by
//!
//! ```text
//! IMPINGE_FULL=1 cargo test --release -p impinge --test it mass -- --nocapture
//! ```
//!
//! Pairs come in families ([`triangles`], [`hulls`]), each from its own seed, half of them made on each of two threads. A
//! table says for each family how many pairs there were, how many of them meet, how many answers were wrong (the test
//! fails unless there are none), and which level of the library's arithmetic decided.

mod claim;
mod convex;
mod hulls;
mod placed;
mod solids;
mod triangles;

use impinge::Vec3;
use impinge::exact::{Counts, counts};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Instant;

pub(crate) type Random = ChaCha8Rng;

/// How many pairs to make: `full` when asked for, else `modest`.
fn pairs(modest: usize, full: usize) -> usize {
    if crate::is_full() { full } else { modest }
}

/// What one family showed.
#[derive(Clone, Copy, Default)]
struct Tally {
    pairs: usize,
    meeting: usize,
    wrong: usize,
    counts: Counts,
}

impl Tally {
    fn plus(self, other: Tally) -> Tally {
        Tally {
            pairs: self.pairs + other.pairs,
            meeting: self.meeting + other.meeting,
            wrong: self.wrong + other.wrong,
            counts: self.counts + other.counts,
        }
    }

    fn line(&self, name: &str) -> String {
        format!(
            "{name:<26}{:>9}{:>9}{:>7}{:>11}{:>11}{:>9}",
            self.pairs,
            self.meeting,
            self.wrong,
            self.counts.filter,
            self.counts.expansion,
            self.counts.big
        )
    }
}

/// What the check of one pair found.
struct Verdict {
    meets: bool,
    /// What the library got wrong, for the report.
    wrong: Option<String>,
}

/// A family: its name, and a check that makes one pair and compares the answers.
type Family<'a> = (&'a str, &'a (dyn Fn(&mut Random) -> Verdict + Sync));

/// Runs `total` pairs spread over the families, prints the table, and fails when an answer was wrong.
fn run(title: &str, total: usize, families: &[Family<'_>]) {
    let start = Instant::now();
    let each = total.div_ceil(families.len());
    let mut table = vec![format!(
        "{title:<26}{:>9}{:>9}{:>7}{:>11}{:>11}{:>9}",
        "pairs", "meeting", "wrong", "filter", "expansion", "big"
    )];
    let mut sum = Tally::default();
    for (i, (name, check)) in families.iter().enumerate() {
        let tally = run_family(i as u64, each, *check);
        table.push(tally.line(name));
        sum = sum.plus(tally);
    }
    table.push(sum.line("all"));
    // In one piece, because tests run side by side.
    println!("{}\nin {:.1?}\n", table.join("\n"), start.elapsed());
    assert!(sum.pairs >= total);
    assert_eq!(sum.wrong, 0, "wrong answers in {title}");
}

fn run_family(seed: u64, pairs: usize, check: &(dyn Fn(&mut Random) -> Verdict + Sync)) -> Tally {
    let halves = [pairs / 2, pairs - pairs / 2];
    std::thread::scope(|scope| {
        let workers = [0, 1].map(|half| {
            scope.spawn(move || {
                let random = &mut Random::seed_from_u64(2 * seed + half as u64);
                let start = counts();
                let mut tally = Tally::default();
                for _ in 0..halves[half] {
                    tally = tally.plus(judge(check(random)));
                }
                tally.counts = counts() - start;
                tally
            })
        });
        workers
            .into_iter()
            .map(|worker| worker.join().expect("no check panics"))
            .fold(Tally::default(), Tally::plus)
    })
}

fn judge(verdict: Verdict) -> Tally {
    if let Some(wrong) = &verdict.wrong {
        println!("WRONG: {wrong}");
    }
    Tally {
        pairs: 1,
        meeting: usize::from(verdict.meets),
        wrong: usize::from(verdict.wrong.is_some()),
        counts: Counts::default(),
    }
}

/// A point of the cube from -1 to 1.
fn anywhere(random: &mut Random) -> Vec3 {
    let mut coordinate = || random.random_range(-1.0..1.0);
    Vec3::new(coordinate(), coordinate(), coordinate())
}

/// A point with integer coordinates up to `size`.
fn on_lattice(random: &mut Random, size: i32) -> Vec3 {
    let mut coordinate = || f64::from(random.random_range(-size..=size));
    Vec3::new(coordinate(), coordinate(), coordinate())
}

/// One coordinate moved by a few units in the last place.
fn nudged(random: &mut Random, mut p: Vec3) -> Vec3 {
    let axis = random.random_range(0..3);
    for _ in 0..random.random_range(0..3) {
        p[axis] = p[axis].next_up();
    }
    for _ in 0..random.random_range(0..3) {
        p[axis] = p[axis].next_down();
    }
    p
}

/// A power of ten, often not exact: everything multiplied by it is rounded.
fn scale(random: &mut Random, exponents: std::ops::RangeInclusive<i32>) -> f64 {
    10_f64.powi(random.random_range(exponents))
}
