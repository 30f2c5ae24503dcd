//! Kinetic sweep and prune on small integers: at every quarter of a second the pairs are those of brute force, whose
//! arithmetic is then exact, and both queues tell the same.
#![no_main]

use impinge::body::BodyIds;
use impinge::kinetic::{CornerMotion, KineticBox, KineticSweep, QueueKind};
use impinge::{BodyId, Pair, Vec3};
use impinge_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

/// The two corners: position, velocity and half the acceleration, at a time.
#[derive(Clone, Copy)]
struct Moving {
    origin: f64,
    corners: [[Vec3; 3]; 2],
}

impl Moving {
    fn read(bytes: &mut Bytes<'_>, origin: f64) -> Moving {
        let mut vector = |reach: u8| {
            let mut small = || f64::from(bytes.byte() % (2 * reach + 1)) - f64::from(reach);
            Vec3::new(small(), small(), small())
        };
        let (place, size) = (vector(3), vector(2).abs());
        let lower = [place, vector(3), vector(2)];
        let upper = [place + size, vector(1) + lower[1], lower[2]];
        Moving {
            origin,
            corners: [lower, upper],
        }
    }

    fn motion(&self) -> KineticBox {
        let [lower, upper] =
            self.corners
                .map(|[position, velocity, half_acceleration]| CornerMotion {
                    position,
                    velocity,
                    half_acceleration,
                });
        KineticBox::new(self.origin, lower, upper).expect("small integers")
    }

    /// A corner at a time, without rounding.
    fn corner(&self, which: usize, time: f64) -> Vec3 {
        let ([p, v, a], s) = (self.corners[which], time - self.origin);
        p + v * s + a * (s * s)
    }
}

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let mut ids = BodyIds::default();
    let mut sweeps = QueueKind::ALL.map(KineticSweep::with_queue);
    let mut bodies: Vec<(BodyId, Moving)> = Vec::new();
    for step in 0..24 {
        let time = f64::from(step) * 0.25;
        for sweep in &mut sweeps {
            sweep
                .advance_to(time, &mut Vec::new())
                .expect("time goes on");
            sweep.validate();
            let pairs: Vec<Pair> = sweep.pairs().collect();
            assert_eq!(pairs, brute(&bodies, time));
        }
        let choice = usize::from(bytes.byte());
        let moving = Moving::read(&mut bytes, time);
        match choice % 4 {
            0 | 1 if bodies.len() < 8 => {
                let id = ids.insert().expect("few bodies");
                sweeps
                    .each_mut()
                    .map(|s| s.insert(id, moving.motion()).expect("new"));
                bodies.push((id, moving));
            }
            2 if !bodies.is_empty() => {
                let place = choice / 4 % bodies.len();
                let id = bodies[place].0;
                sweeps
                    .each_mut()
                    .map(|s| s.set_motion(id, moving.motion()).expect("there"));
                bodies[place].1 = moving;
            }
            3 if choice > 200 && !bodies.is_empty() => {
                let (id, _) = bodies.swap_remove(choice / 4 % bodies.len());
                sweeps.each_mut().map(|s| s.remove(id).expect("there"));
                ids.remove(id).expect("there");
            }
            _ => {}
        }
    }
});

fn brute(bodies: &[(BodyId, Moving)], time: f64) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (i, (a, x)) in bodies.iter().enumerate() {
        for (b, y) in &bodies[i + 1..] {
            let is_below =
                |x: &Moving, y: &Moving| x.corner(0, time).cmple(y.corner(1, time)).all();
            if is_below(x, y) && is_below(y, x) {
                pairs.extend(Pair::new(*a, *b));
            }
        }
    }
    pairs.sort_unstable();
    pairs
}
