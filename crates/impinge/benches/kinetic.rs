//! What a swap of the kinetic sweep and prune costs, by number of bodies and kind of queue.
//!
//! `cargo bench -p impinge --bench kinetic`. Boxes of unit size at one per cent density move steadily in random directions. A
//! sample advances the scene until some thousand swaps have happened; the throughput is that of swaps. Before the measurement
//! all queues are checked to tell the same events.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use impinge::body::BodyIds;
use impinge::kinetic::{KineticBox, KineticEvent, KineticSweep, QueueKind};
use impinge::{Aabb, Vec3};
use impinge_scenes::points::in_cube;

const COUNTS: [usize; 3] = [1000, 10_000, 100_000];
/// Swaps a sample, about.
const SWAPS: f64 = 4000.0;

fn main() {
    check_agreement();
    for bodies in COUNTS {
        print_operations(bodies);
    }
    divan::main();
}

/// How often the queue is touched for a swap.
fn print_operations(bodies: usize) {
    let mut sweep = scene(bodies, QueueKind::default());
    let before = sweep.stats();
    let span = span(&sweep, SWAPS);
    sweep
        .advance_to(span, &mut Vec::new())
        .expect("a time ahead");
    let after = sweep.stats();
    let a_swap = |count: u64| count as f64 / (after.swaps - before.swaps) as f64;
    println!(
        "{bodies} bodies, a swap: {:.2} insertions, {:.2} removals, {:.2} changes",
        a_swap(after.insertions - before.insertions),
        a_swap(after.removals - before.removals),
        a_swap(after.changes - before.changes),
    );
}

/// Removing bodies one by one while time stands still.
#[divan::bench(args = COUNTS, sample_count = 20, sample_size = 1)]
fn remove_a_hundred(bencher: Bencher, bodies: usize) {
    let start = scene(bodies, QueueKind::default());
    let mut ids = BodyIds::default();
    let all: Vec<_> = (0..bodies)
        .map(|_| ids.insert().expect("few bodies"))
        .collect();
    bencher
        .counter(ItemsCount::new(100_usize))
        .with_inputs(|| start.clone())
        .bench_values(|mut sweep| {
            for id in all.iter().step_by(bodies / 100).take(100) {
                sweep.remove(*id).expect("a body that is there");
            }
            sweep
        });
}

#[divan::bench(args = COUNTS, sample_count = 20, sample_size = 1)]
fn heap(bencher: Bencher, bodies: usize) {
    measure(bencher, bodies, QueueKind::Heap);
}

#[divan::bench(args = COUNTS, sample_count = 20, sample_size = 1)]
fn pairing(bencher: Bencher, bodies: usize) {
    measure(bencher, bodies, QueueKind::Pairing);
}

fn scene(bodies: usize, kind: QueueKind) -> KineticSweep {
    let mut ids = BodyIds::default();
    let mut sweep = KineticSweep::with_queue(kind);
    let side = (100.0 * bodies as f64).cbrt();
    let (places, ways) = (in_cube(bodies, 1), in_cube(bodies, 2));
    for (place, way) in places.iter().zip(&ways) {
        let center = *place * (side / 2.0);
        let bounds = Aabb::new(center, center + Vec3::ONE).expect("a box of finite size");
        let motion = KineticBox::moving(bounds, 0.0, *way).expect("finite motions");
        let id = ids.insert().expect("few bodies");
        sweep.insert(id, motion).expect("a new body");
    }
    sweep.next_event(0.0).expect("a time ahead");
    sweep
}

/// How much time passes until about so many swaps have happened.
fn span(sweep: &KineticSweep, swaps: f64) -> f64 {
    let mut sweep = sweep.clone();
    let (mut step, before) = (1e-6, sweep.stats().swaps);
    loop {
        let time = sweep.time() + step;
        sweep
            .advance_to(time, &mut Vec::new())
            .expect("a time ahead");
        let done = (sweep.stats().swaps - before) as f64;
        if done >= swaps / 8.0 {
            return sweep.time() * swaps / done;
        }
        step *= 2.0;
    }
}

fn measure(bencher: Bencher, bodies: usize, kind: QueueKind) {
    let start = scene(bodies, kind);
    let span = span(&start, SWAPS);
    let mut after = start.clone();
    after
        .advance_to(span, &mut Vec::new())
        .expect("a time ahead");
    let swaps = after.stats().swaps - start.stats().swaps;
    bencher
        .counter(ItemsCount::new(swaps))
        .with_inputs(|| start.clone())
        .bench_values(|mut sweep| {
            let mut events = Vec::new();
            sweep.advance_to(span, &mut events).expect("a time ahead");
            black_box((sweep, events))
        });
}

fn check_agreement() {
    let told = QueueKind::ALL.map(|kind| {
        let mut sweep = scene(1000, kind);
        let mut events: Vec<KineticEvent> = Vec::new();
        sweep.advance_to(2.0, &mut events).expect("a time ahead");
        sweep.validate();
        events
    });
    assert!(!told[0].is_empty() && told.iter().all(|events| *events == told[0]));
}
