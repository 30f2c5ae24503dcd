//! Placed convex polytopes by the million: every method against the others on every pair, the oracle on a sample.
//!
//! Each pair is asked about by the default (cold, with a cache kept from the pair before, right or wrong, and many pairs at
//! once), by GJK and by Lin-Canny. Booleans must be the same everywhere and intervals must overlap; one pair in
//! [`ORACLE_EVERY`] is also held against exact arithmetic that shares no code with the library. The full count is
//! 10 000 000 pairs:
//!
//! ```text
//! IMPINGE_FULL=1 cargo test --release -p impinge --test it mass_convex -- --nocapture
//! ```

mod check;
mod families;

use super::hulls;
use super::{Random, pairs};
use check::{Checker, Tally};
use families::{Case, Flight, Independent, Pool, Source};
use rand::SeedableRng;
use std::time::Instant;

/// One pair in so many goes to the oracle.
const ORACLE_EVERY: usize = 40;

/// A family's name, its share of all pairs, and what makes its source.
type Family = (&'static str, usize, fn(&Pool) -> Box<dyn Source + '_>);

const FAMILIES: [Family; 15] = [
    ("random", 24, |pool| {
        independent(pool, families::anywhere_near)
    }),
    ("10 degrees a frame", 16, |pool| {
        Box::new(Flight::of_small(pool, 0.1, 10.0))
    }),
    ("1 degree a frame", 12, |pool| {
        Box::new(Flight::of_small(pool, 0.01, 1.0))
    }),
    ("large, coherent", 4, |pool| {
        Box::new(Flight::of_large(pool, 0.02, 2.0))
    }),
    ("lattice", 16, |pool| {
        independent(pool, families::on_the_lattice)
    }),
    ("lattice, last place", 8, |pool| {
        independent(pool, families::beside_the_lattice)
    }),
    ("nested", 2, |pool| independent(pool, families::nested)),
    ("needles", 4, |pool| independent(pool, families::needles)),
    ("sizes 1e-9 to 1e9", 2, |pool| {
        independent(pool, families::of_all_sizes)
    }),
    ("far from the origin", 4, |pool| {
        independent(pool, families::far_away)
    }),
    ("touching", 2, |_| points(families::touching)),
    ("faces in one plane", 2, |_| points(hulls::sliding_faces)),
    ("one step apart", 1, |_| points(hulls::one_step_apart)),
    ("one step inside", 1, |_| points(hulls::one_step_inside)),
    ("touching, last place", 2, |_| points(hulls::nudged_contact)),
];

fn independent<'p>(
    pool: &'p Pool,
    make: impl Fn(&Pool, &mut Random) -> Case + 'p,
) -> Box<dyn Source + 'p> {
    Box::new(Independent(move |random: &mut Random| make(pool, random)))
}

fn points<'p>(make: impl FnMut(&mut Random) -> hulls::Pair + 'p) -> Box<dyn Source + 'p> {
    Box::new(Independent(families::from_points(make)))
}

#[test]
fn mass_convex_pairs() {
    let total = pairs(40_000, 10_000_000);
    let start = Instant::now();
    let shares: usize = FAMILIES.iter().map(|(_, share, _)| share).sum();
    let mut lines = vec![Tally::head("convex pairs")];
    let mut sum = Tally::default();
    for (number, (name, share, source)) in FAMILIES.iter().enumerate() {
        let tally = run_family(number as u64, (total * share).div_ceil(shares), *source);
        lines.push(tally.line(name));
        sum = sum.plus(&tally);
    }
    lines.push(sum.line("all"));
    lines.extend(sum.summary());
    println!("{}\nin {:.1?}\n", lines.join("\n"), start.elapsed());
    assert!(sum.pairs >= total);
    assert_eq!(sum.wrong, 0, "wrong answers");
}

/// Half of the pairs on each of two threads.
fn run_family(number: u64, count: usize, source: fn(&Pool) -> Box<dyn Source + '_>) -> Tally {
    std::thread::scope(|scope| {
        let workers = [0, 1].map(|half| {
            scope.spawn(move || {
                let random = &mut Random::seed_from_u64(1000 + 2 * number + half);
                let pool = Pool::new(random);
                let mut source = source(&pool);
                let mut checker = Checker::default();
                for _ in 0..count.div_ceil(2) {
                    checker.check(source.next(random));
                }
                checker.finish()
            })
        });
        workers
            .into_iter()
            .map(|worker| worker.join().expect("no check panics"))
            .fold(Tally::default(), |sum, tally| sum.plus(&tally))
    })
}
