//! Bodies that come, move and go in any order: every broad phase gives the changes and pairs of brute force, and stays sound.
#![no_main]

use impinge::body::BodyIds;
use impinge::broad::{Box32, BroadPhase, BroadPhaseKind, PairChanges};
use impinge::{Aabb, BodyId, Ray};
use impinge_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

/// Past this many, an input is only longer.
const MOST_STEPS: usize = 100;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let mut all = All::default();
    for _ in 0..MOST_STEPS.min(data.len() / 4) {
        all.step(&mut bytes);
    }
    all.collect();
});

/// All broad phases, brute force first, and the bodies that they all have.
struct All {
    ids: BodyIds,
    bodies: Vec<BodyId>,
    gone: Option<BodyId>,
    broad: Vec<Box<dyn BroadPhase>>,
}

impl Default for All {
    fn default() -> All {
        let mut kinds = BroadPhaseKind::ALL;
        kinds.sort_by_key(|kind| *kind != BroadPhaseKind::Brute);
        All {
            ids: BodyIds::default(),
            bodies: Vec::new(),
            gone: None,
            broad: kinds.map(BroadPhaseKind::create).into(),
        }
    }
}

impl All {
    /// Something happens.
    fn step(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.byte() % 16 {
            0..5 => self.insert(bytes),
            5..10 => self.update(bytes),
            10..12 => self.remove(bytes),
            12 => self.misuse(bytes),
            13 => self.ask(bytes),
            _ => self.collect(),
        }
    }

    fn insert(&mut self, bytes: &mut Bytes<'_>) {
        let body = self.ids.insert().expect("there are few");
        let bounds = rounded(&any_box(bytes));
        self.bodies.push(body);
        for broad in &mut self.broad {
            broad.insert(body, bounds).expect("all is well");
        }
    }

    fn update(&mut self, bytes: &mut Bytes<'_>) {
        if self.bodies.is_empty() {
            return;
        }
        let count = 1 + usize::from(bytes.byte()) % 3;
        let start = usize::from(bytes.byte()) % self.bodies.len();
        let chosen = self.bodies.iter().cycle().skip(start);
        let moved: Vec<(BodyId, Box32)> = chosen
            .take(count.min(self.bodies.len()))
            .map(|body| (*body, rounded(&any_box(bytes))))
            .collect();
        for broad in &mut self.broad {
            broad.update_many(&moved).expect("all is well");
        }
    }

    fn remove(&mut self, bytes: &mut Bytes<'_>) {
        if self.bodies.is_empty() {
            return;
        }
        let chosen = usize::from(bytes.byte()) % self.bodies.len();
        let body = self.bodies.swap_remove(chosen);
        self.ids.remove(body).expect("it is there");
        self.gone = Some(body);
        for broad in &mut self.broad {
            broad.remove(body).expect("it is there");
        }
    }

    /// What must be refused is.
    fn misuse(&mut self, bytes: &mut Bytes<'_>) {
        let bounds = rounded(&any_box(bytes));
        for broad in &mut self.broad {
            if let Some(gone) = self.gone {
                assert!(broad.update(gone, bounds).is_err());
                assert!(broad.remove(gone).is_err());
            }
            if let Some(first) = self.bodies.first() {
                assert!(broad.insert(*first, bounds).is_err());
            }
        }
    }

    /// Everyone answers questions alike.
    fn ask(&mut self, bytes: &mut Bytes<'_>) {
        let bounds = any_box(bytes);
        let ray = Ray::new(bounds.min(), bounds.size());
        let answers = self.broad.iter().map(|broad| {
            let (mut inside, mut met) = (Vec::new(), Vec::new());
            broad
                .in_box(&bounds, &mut inside)
                .expect("the box is sound");
            if let Ok(ray) = &ray {
                broad.cast(ray, 1.0, &mut |body, t| {
                    met.push((body, t));
                    1.0
                });
            }
            (inside, met)
        });
        let answers: Vec<_> = answers.collect();
        assert!(
            answers.windows(2).all(|two| two[0] == two[1]),
            "{answers:?}"
        );
    }

    /// Everyone tells the same changes and has the same pairs.
    fn collect(&mut self) {
        let told = self.broad.iter_mut().map(|broad| {
            broad.validate();
            let mut changes = PairChanges::default();
            broad.collect(&mut changes);
            broad.validate();
            let mut pairs = Vec::new();
            broad.pairs(&mut pairs);
            (changes, pairs)
        });
        let told: Vec<_> = told.collect();
        assert!(told.windows(2).all(|two| two[0] == two[1]), "{told:?}");
    }
}

fn any_box(bytes: &mut Bytes<'_>) -> Aabb {
    Aabb::of_points(bytes.points::<2>()).expect("two points")
}

fn rounded(bounds: &Aabb) -> Box32 {
    Box32::around(bounds).expect("points are finite")
}
