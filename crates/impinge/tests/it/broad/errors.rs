//! What is refused names the body and changes nothing.

use super::methods;
use impinge::body::BodyIds;
use impinge::broad::{Box32, BroadPhase, Grid, PairChanges, PairStorage, Sweep};
use impinge::{Aabb, BodyId, Error, Vec3};

fn unit_at(x: f32) -> Box32 {
    Box32::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]).unwrap()
}

/// Everything that can be seen of a broad phase.
fn state(broad: &dyn BroadPhase) -> String {
    let mut pairs = Vec::new();
    broad.pairs(&mut pairs);
    let boxes: Vec<_> = broad.boxes().iter().collect();
    format!("{pairs:?} {boxes:?}")
}

fn refused(broad: &mut dyn BroadPhase, ask: impl Fn(&mut dyn BroadPhase) -> Result<(), Error>) {
    let before = state(broad);
    assert!(ask(broad).is_err());
    assert_eq!(state(broad), before);
    broad.validate();
    let mut changes = PairChanges::default();
    broad.collect(&mut changes);
    assert!(changes.is_empty());
    assert_eq!(state(broad), before);
}

#[test]
fn stale_names_and_double_removals_change_nothing() {
    for kind in methods() {
        let mut ids = BodyIds::default();
        let [stale, b, c, absent] = [(); 4].map(|()| ids.insert().unwrap());
        let mut broad = kind.create();
        let broad = &mut *broad;
        broad.insert(stale, unit_at(0.0)).unwrap();
        broad.insert(b, unit_at(0.5)).unwrap();
        broad.insert(c, unit_at(9.0)).unwrap();
        broad.remove(stale).unwrap();
        ids.remove(stale).unwrap();
        let a: BodyId = ids.insert().unwrap();
        broad.insert(a, unit_at(0.25)).unwrap();
        broad.collect(&mut PairChanges::default());

        for unknown in [stale, absent] {
            refused(broad, |broad| broad.remove(unknown));
            refused(broad, |broad| broad.update(unknown, unit_at(0.0)));
            refused(broad, |broad| broad.set_round(unknown, true).map(drop));
            refused(broad, |broad| {
                broad.update_many(&[(a, unit_at(20.0)), (unknown, unit_at(0.0))])
            });
        }
        for count in [0, 1, 2, 4, 5] {
            refused(broad, |broad| broad.update_all(&vec![unit_at(20.0); count]));
        }
        refused(broad, |broad| broad.insert(a, unit_at(0.0)));
        refused(broad, |broad| broad.insert(stale, unit_at(0.0)));
        broad.remove(c).unwrap();
        refused(broad, |broad| broad.remove(c));
    }
}

#[test]
fn errors_name_the_body() {
    for kind in methods() {
        let mut ids = BodyIds::default();
        let [a, b] = [(); 2].map(|()| ids.insert().unwrap());
        let mut broad = kind.create();
        broad.insert(a, unit_at(0.0)).unwrap();
        let said = |result: Result<(), Error>| result.unwrap_err().to_string();
        assert_eq!(said(broad.remove(b)), "there is no body 1.1");
        assert_eq!(
            said(broad.insert(a, unit_at(0.0))),
            "body 0.1 cannot be inserted: its place is taken"
        );
    }
}

/// There is no way for a bad box into a broad phase: it cannot be made.
#[test]
fn bad_boxes_cannot_be_made() {
    let largest = Aabb::new(Vec3::ZERO, Vec3::splat(f64::MAX)).unwrap();
    let nan = Aabb::of_points([Vec3::ONE * f64::NAN]).unwrap();
    let inverted = Aabb::new(Vec3::ZERO, Vec3::ONE).unwrap().grown(-2.0);
    let said = |bounds: Aabb| Box32::around(&bounds).unwrap_err().to_string();
    assert_eq!(said(largest.grown(1.0)), "box maximum is not finite");
    assert_eq!(said(nan), "box minimum is not finite");
    assert!(said(inverted).starts_with("box minimum x is 1.99"));
    for axis in 0..3 {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0] {
            let mut corner = [1.0; 3];
            corner[axis] = bad;
            assert!(Box32::new([0.0; 3], corner).is_err(), "{bad}");
            corner[axis] = -bad;
            assert!(Box32::new(corner, [0.0; 3]).is_err(), "{bad}");
        }
    }
}

#[test]
fn options_out_of_range_are_refused() {
    for size in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300, 1e300] {
        assert!(Grid::with_cell_size(size).is_err(), "{size}");
    }
    let mut ids = BodyIds::default();
    let bodies = (0..=Sweep::DENSE_CAPACITY).map(|_| ids.insert().unwrap());
    let last = bodies.last().unwrap();
    let mut dense = Sweep::new(PairStorage::Dense);
    let said = dense.insert(last, unit_at(0.0)).unwrap_err().to_string();
    assert_eq!(
        said,
        "index of body 32768.1 is 32768, expected below 32768 for a dense pair store"
    );
    assert!(dense.boxes().is_empty());
    assert!(Sweep::default().insert(last, unit_at(0.0)).is_ok());
}
