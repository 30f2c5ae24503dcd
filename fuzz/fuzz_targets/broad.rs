//! Bodies that come, move and go in any order: every broad phase gives the changes and pairs of brute force, and stays sound.
#![no_main]

use impinge::body::BodyIds;
use impinge::broad::{Box32, BroadPhase, BroadPhaseKind, PairChanges};
use impinge::{Aabb, BodyId, Ray};
use impinge_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

/// Past this many, an input is only longer.
const MOST_STEPS: usize = 100;

/// So many bodies, or some more, are there from the beginning in every other input: methods have other ways for many.
const CROWD: usize = 66;

/// The most frames in a row in which one body creeps on, while all others rest.
const MOST_FRAMES: u8 = 32;

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let mut all = All::default();
    if bytes.byte() % 2 == 1 {
        all.insert_crowd(&mut bytes);
    }
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
            0..4 => self.insert(rounded(&any_box(bytes))),
            4..9 => self.update(bytes),
            9..11 => self.remove(bytes),
            11 => self.misuse(bytes),
            12 => self.ask(bytes),
            13 => self.creep(bytes),
            _ => self.collect(),
        }
    }

    fn insert(&mut self, bounds: Box32) {
        let body = self.ids.insert().expect("there are few");
        self.bodies.push(body);
        for broad in &mut self.broad {
            broad.insert(body, bounds).expect("all is well");
        }
    }

    /// Many bodies come, in three rows that are more or less close.
    fn insert_crowd(&mut self, bytes: &mut Bytes<'_>) {
        let count = CROWD + usize::from(bytes.byte()) % 32;
        let gap = 0.5 + f32::from(bytes.byte()) / 128.0;
        for number in 0..count {
            let [x, y] = [number / 3, number % 3].map(|place| place as f32 * gap);
            let bounds = Box32::new([x, y, 0.0], [x + 1.0, y + 1.0, 1.0]);
            self.insert(bounds.expect("numbers are small"));
        }
    }

    /// One body goes on for some frames, by a small step in each.
    fn creep(&mut self, bytes: &mut Bytes<'_>) {
        let frames = bytes.byte() % MOST_FRAMES;
        let (chosen, step) = (usize::from(bytes.byte()), f32::from(bytes.byte()) / 512.0);
        let Some(&body) = self.bodies.get(chosen % self.bodies.len().max(1)) else {
            return;
        };
        for _ in 0..frames {
            let [brute, ..] = &self.broad[..] else {
                return;
            };
            let bounds = brute.boxes().get(body).expect("it is there");
            let (mut min, mut max) = (bounds.min(), bounds.max());
            min[0] += step;
            max[0] += step;
            // At the end of the range of numbers there is nowhere to go.
            let Ok(bounds) = Box32::new(min, max) else {
                return;
            };
            for broad in &mut self.broad {
                broad.update(body, bounds).expect("all is well");
            }
            self.compare();
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

    /// Everyone is sound, before and after telling the same.
    fn collect(&mut self) {
        self.broad.iter().for_each(|broad| broad.validate());
        self.compare();
        self.broad.iter().for_each(|broad| broad.validate());
    }

    /// Everyone tells the same changes and has the same pairs.
    fn compare(&mut self) {
        let told = self.broad.iter_mut().map(|broad| {
            let mut changes = PairChanges::default();
            broad.collect(&mut changes);
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
