//! Every scene, with bodies coming and going in between, and hostile sets of boxes.

use super::{Twins, methods};
use impinge::body::BodyIds;
use impinge::broad::{Box32, BroadPhaseKind, Grid, PairChanges};
use impinge::{Aabb, BodyId, Vec3};
use impinge_scenes::boxes::{BoxScene, BoxSceneKind};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Bodies that come and go beside those of a scene, with names above all of the scene's.
#[derive(Debug)]
struct Guests {
    ids: BodyIds,
    here: Vec<BodyId>,
    rng: ChaCha8Rng,
}

impl Guests {
    /// Guests whose indices begin above `bodies`.
    fn above(bodies: usize) -> Guests {
        let mut ids = BodyIds::default();
        for _ in 0..bodies {
            ids.insert().unwrap();
        }
        Guests {
            ids,
            here: Vec::new(),
            rng: ChaCha8Rng::seed_from_u64(17),
        }
    }

    /// Some leave, some come, and one that came leaves at once or gives its index to another.
    fn visit(&mut self, twins: &mut Twins, near: &[(BodyId, Box32)]) {
        for _ in 0..self.rng.random_range(0..6) {
            if !self.here.is_empty() && self.rng.random_bool(0.45) {
                let gone = self.rng.random_range(0..self.here.len());
                let body = self.here.swap_remove(gone);
                self.ids.remove(body).unwrap();
                twins.tell(|broad| broad.remove(body).unwrap());
            } else {
                let body = self.ids.insert().unwrap();
                self.here.push(body);
                let (_, host) = near[self.rng.random_range(0..near.len())];
                let bounds = if self.rng.random_bool(0.3) {
                    host
                } else {
                    let share = self.rng.random_range(0.0..2.0);
                    let (min, max) = (host.min(), host.max());
                    let low = std::array::from_fn(|k| min[k] - (max[k] - min[k]) * share);
                    Box32::new(low, max).unwrap()
                };
                twins.tell(|broad| broad.insert(body, bounds).unwrap());
            }
        }
    }
}

#[test]
fn every_method_gives_the_pairs_of_brute_force_in_every_scene() {
    let bodies = if crate::is_full() { 1000 } else { 130 };
    for kind in methods() {
        for scene_kind in BoxSceneKind::ALL {
            let mut scene = BoxScene::new(scene_kind, bodies, 11).unwrap();
            let mut twins = Twins::new(kind, scene_kind.name());
            let mut guests = Guests::above(bodies);
            let hosts = scene.start().inserted.clone();
            twins.tell(|broad| scene.start().apply(broad).unwrap());
            let mut changed = twins.compare(0);
            for frame in 1..=200 {
                let next = scene.step().unwrap();
                twins.tell(|broad| next.apply(broad).unwrap());
                guests.visit(&mut twins, &hosts);
                changed += twins.compare(frame);
            }
            assert!(changed > 100, "{kind} in {scene_kind}: {changed}");
        }
    }
}

#[test]
fn grids_of_any_cell_size_agree() {
    // From cells in which nearly every body is wide to a single one for all.
    for size in [1e-3, 0.4, 1.0, 7.0, 1e6] {
        for scene_kind in BoxSceneKind::ALL {
            let mut scene = BoxScene::new(scene_kind, 60, 21).unwrap();
            let grid = Box::new(Grid::with_cell_size(size).unwrap());
            assert_eq!(grid.cell_size(), Some(size));
            let mut twins = Twins::of(format!("cells of {size} in {scene_kind}"), grid);
            let mut guests = Guests::above(60);
            let hosts = scene.start().inserted.clone();
            twins.tell(|broad| scene.start().apply(broad).unwrap());
            for frame in 0..20 {
                twins.compare(frame);
                let next = scene.step().unwrap();
                twins.tell(|broad| next.apply(broad).unwrap());
                guests.visit(&mut twins, &hosts);
            }
        }
    }
}

/// The default goes over to other ways with very many bodies, too many for brute force: it is compared with another method, and what is in a box with all bodies, also
/// while new boxes wait for the next `collect`.
#[test]
fn very_many_bodies_agree_with_another_method() {
    let (bodies, frames) = if crate::is_full() {
        (300_000, 60)
    } else {
        (70_000, 24)
    };
    for scene_kind in [BoxSceneKind::Uniform, BoxSceneKind::Clustered] {
        let mut scene = BoxScene::new(scene_kind, bodies, 12).unwrap();
        let mut watch = BroadPhaseKind::Watch.create();
        let mut tree = BroadPhaseKind::Tree.create();
        let (mut found, mut expected) = (PairChanges::default(), PairChanges::default());
        let mut guests = BodyIds::default();
        for _ in 0..bodies {
            guests.insert().unwrap();
        }
        for broad in [&mut watch, &mut tree] {
            scene.start().apply(&mut **broad).unwrap();
        }
        for frame in 0..frames {
            watch.collect(&mut found);
            tree.collect(&mut expected);
            assert_eq!(found, expected, "{scene_kind}, frame {frame}");
            let next = scene.step().unwrap();
            for broad in [&mut watch, &mut tree] {
                next.apply(&mut **broad).unwrap();
            }
            let (one, bounds) = watch.boxes().iter().nth(frame * 999).unwrap();
            let (min, max) = (bounds.min(), bounds.max());
            let [low, high] = [min, max].map(|corner| Vec3::from_array(corner.map(f64::from)));
            let region = Aabb::new(low - Vec3::splat(3.0), high + Vec3::splat(3.0)).unwrap();
            let (mut inside, mut all) = (Vec::new(), Vec::new());
            watch.in_box(&region, &mut inside).unwrap();
            tree.in_box(&region, &mut all).unwrap();
            assert_eq!(inside, all, "{scene_kind}, frame {frame}");
            assert!(inside.contains(&one));
            // Near the end some come, and one moves by itself.
            if frame == frames - 6 {
                for _ in 0..3 {
                    let body = guests.insert().unwrap();
                    for broad in [&mut watch, &mut tree] {
                        broad.insert(body, Box32::around(&region).unwrap()).unwrap();
                    }
                }
            }
            if frame == frames - 3 {
                for broad in [&mut watch, &mut tree] {
                    broad.update(one, Box32::around(&region).unwrap()).unwrap();
                }
            }
        }
        watch.validate();
    }
}

/// Numbers at the edges of what boxes can be.
const EDGES: [f64; 14] = [
    -f64::MAX,
    -1e300,
    -3.5e38,
    -1e20,
    -1.0,
    -1e-300,
    0.0,
    1e-45,
    1.0,
    2.0,
    16_777_217.0,
    1e20,
    3.5e38,
    f64::MAX,
];

#[test]
fn boxes_of_any_size_at_any_place_agree() {
    for kind in methods() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut edge = || EDGES[rng.random_range(0..EDGES.len())];
        let mut any_box = || {
            let [a, b] = [(); 2].map(|()| Vec3::new(edge(), edge(), edge()));
            Box32::around(&Aabb::new(a.min(b), a.max(b)).unwrap()).unwrap()
        };
        let mut ids = BodyIds::default();
        let mut twins = Twins::new(kind, "boxes of any size");
        let bodies: Vec<BodyId> = (0..60).map(|_| ids.insert().unwrap()).collect();
        for body in &bodies {
            let bounds = any_box();
            twins.tell(|broad| broad.insert(*body, bounds).unwrap());
        }
        for frame in 0..50 {
            twins.compare(frame);
            for body in bodies.iter().skip(frame % 3).step_by(3) {
                let bounds = any_box();
                twins.tell(|broad| broad.update(*body, bounds).unwrap());
            }
        }
    }
}

#[test]
fn equal_boxes_and_points_agree() {
    let point = |at: f32| Box32::new([at; 3], [at; 3]).unwrap();
    for kind in methods() {
        let mut ids = BodyIds::default();
        let mut twins = Twins::new(kind, "equal boxes");
        twins.compare(0);
        let bodies: Vec<BodyId> = (0..40).map(|_| ids.insert().unwrap()).collect();
        for body in &bodies {
            twins.tell(|broad| broad.insert(*body, point(1.0)).unwrap());
        }
        assert_eq!(twins.compare(1), 780);
        for (place, body) in bodies.iter().enumerate() {
            let at = f32::from(place as u8 % 2);
            twins.tell(|broad| broad.update(*body, point(at)).unwrap());
        }
        assert_eq!(twins.compare(2), 400);
        for body in &bodies {
            twins.tell(|broad| broad.remove(*body).unwrap());
        }
        assert_eq!(twins.compare(3), 380);
        assert_eq!(twins.compare(4), 0);
    }
}

#[test]
fn an_index_that_changes_hands_ends_old_pairs_and_begins_new_ones() {
    let unit = Box32::new([0.0; 3], [1.0; 3]).unwrap();
    for kind in methods() {
        let mut ids = BodyIds::default();
        let mut twins = Twins::new(kind, "an index that changes hands");
        let [a, b] = [(); 2].map(|()| ids.insert().unwrap());
        for body in [a, b] {
            twins.tell(|broad| broad.insert(body, unit).unwrap());
        }
        assert_eq!(twins.compare(0), 1);
        ids.remove(a).unwrap();
        let c = ids.insert().unwrap();
        assert_eq!(c.index(), a.index());
        twins.tell(|broad| {
            broad.remove(a).unwrap();
            broad.insert(c, unit).unwrap();
        });
        assert_eq!(twins.compare(1), 2);
        // Gone and back again is no change of hands.
        twins.tell(|broad| {
            broad.remove(b).unwrap();
            broad.insert(b, unit).unwrap();
        });
        assert_eq!(twins.compare(2), 0);
    }
}
