//! Questions with a budget: it is kept, what they say is never wrong, and in the end it is the exact answer.

use crate::cases::rng;
use crate::is_full;
use crate::shapes::kinds::point;
use impinge::bvh::{GradualSearch, Hubbard, Quinlan, Tree};
use impinge::query::{Gradual, Progress};
use impinge::{HeightField, Placed, Pose, Separation, Shape, Solid, TriMesh, Vec3, query};
use impinge_scenes::knots::{approach, torus_knot};
use rand::{Rng, RngExt};
use std::sync::Arc;

/// What is known at one time agrees with the truth, and with what was known before.
fn check_progress(now: &Progress, before: Option<&Progress>, exact: &Separation, what: &str) {
    let (own, truth) = (now.bounds, exact.bounds);
    assert!(
        own.lower <= truth.upper && own.upper >= truth.lower,
        "{what}: {now:?}, {exact:?}"
    );
    if let Some(known) = now.intersects {
        assert_eq!(known, exact.distance == 0.0, "{what}: {now:?}");
    } else {
        assert!(!now.is_final && own.lower == 0.0, "{what}: {now:?}");
        assert!(now.depth >= 0.0, "{what}: {now:?}");
    }
    if now.intersects == Some(false) {
        assert_eq!(now.depth, 0.0, "{what}");
    }
    if let Some(before) = before {
        assert!(
            own.lower >= before.bounds.lower && own.upper <= before.bounds.upper,
            "{what}: {before:?}, {now:?}"
        );
        assert!(now.spent >= before.spent, "{what}");
        assert!(before.intersects.is_none() || now.intersects == before.intersects);
    }
}

/// Asks with small budgets until all is done, then compares with the answer at once.
fn check(a: Placed<'_>, b: Placed<'_>, rng: &mut impl Rng, what: &str) -> Separation {
    let exact = query::distance(a, b);
    let mut question = Gradual::new(a, b).unwrap();
    let mut before = question.progress();
    check_progress(&before, None, &exact, what);
    while !before.is_final {
        let budget = [0, 1, 3, 8, 9, 40, 500][rng.random_range(0..7)];
        let now = question.spend(budget);
        assert!(now.spent - before.spent <= budget, "{what}: {now:?}");
        check_progress(&now, Some(&before), &exact, what);
        before = now;
    }
    let resumed = question.finish();
    let at_once = Gradual::new(a, b).unwrap().finish();
    assert_eq!(resumed, at_once, "{what}");
    assert_eq!(resumed.distance == 0.0, exact.distance == 0.0, "{what}");
    let (own, truth) = (resumed.bounds, exact.bounds);
    assert!(own.lower <= truth.upper && own.upper >= truth.lower);
    assert!(
        own.width() <= 1e-11 * (1.0 + exact.distance),
        "{what}: {resumed:?}"
    );
    assert_eq!(question.progress().spent, before.spent, "nothing is left");
    resumed
}

fn shapes(rng: &mut impl Rng) -> Vec<Shape> {
    let soup = |rng: &mut dyn FnMut() -> Vec3, count: u32| {
        let vertices = (0..3 * count).map(|_| rng()).collect();
        let triangles = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
        TriMesh::new(vertices, triangles.collect()).unwrap()
    };
    let knot = torus_knot(2, 3, 900).unwrap();
    let field = HeightField::from_fn([30, 25], [0.1, 0.12], |r, c| {
        0.3 * (0.5 * r as f64).sin() * (0.4 * c as f64).cos()
    });
    vec![
        Shape::from(knot.clone()),
        Shape::from(Solid::new(knot).unwrap()),
        Shape::from(field.unwrap()),
        Shape::from(soup(&mut || point(rng), 30)),
        Shape::from(soup(&mut || (point(rng) * 2.0).round(), 12)),
        Shape::from(soup(&mut || point(rng), 1)),
    ]
}

#[test]
fn budgets_are_kept_and_answers_end_exact() {
    let mut rng = rng(401);
    let shapes = shapes(&mut rng);
    let rounds = if is_full() { 2000 } else { 60 };
    let (mut met, mut apart) = (0, 0);
    for round in 0..rounds {
        let [i, j] = [(); 2].map(|()| rng.random_range(0..shapes.len()));
        let at = if round % 3 == 0 {
            (point(&mut rng) * 4.0).round() * 0.5
        } else {
            point(&mut rng) * rng.random_range(0.2..3.0)
        };
        let turned = Pose::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.9, at).unwrap();
        let pose = if round % 2 == 0 {
            turned
        } else {
            Pose::from_translation(at).unwrap()
        };
        let (a, b) = (shapes[i].at(Pose::IDENTITY), shapes[j].at(pose));
        let near = check(a, b, &mut rng, &format!("{round}: {i}, {j}"));
        if near.distance > 0.0 {
            apart += 1;
        } else {
            met += 1;
        }
    }
    assert!(met > 5 && apart > 5, "{met}, {apart}");
}

#[test]
fn a_shape_inside_a_solid_is_known_from_the_start() {
    let ball = impinge::Polytope::from_points(&impinge_scenes::points::on_sphere(60, 3)).unwrap();
    let fans = (0..ball.face_count()).flat_map(|f| {
        let face = ball.face(f).to_vec();
        (1..face.len() - 1).map(move |k| [face[0], face[k], face[k + 1]])
    });
    let mesh = TriMesh::new(ball.vertices().to_vec(), fans.collect()).unwrap();
    let solid = Shape::from(Solid::new(mesh).unwrap());
    let small = Shape::from(torus_knot(2, 3, 300).unwrap());
    let inner = TriMesh::new(
        vec![Vec3::ZERO, Vec3::X * 0.1, Vec3::Y * 0.1],
        vec![[0, 1, 2]],
    );
    let inner = Shape::from(inner.unwrap());
    let question = Gradual::new(solid.at(Pose::IDENTITY), inner.at(Pose::IDENTITY)).unwrap();
    let known = question.progress();
    assert_eq!((known.intersects, known.spent), (Some(true), 0));
    assert!(known.is_final);
    let far = Pose::from_translation(Vec3::X * 9.0).unwrap();
    let mut question = Gradual::new(solid.at(Pose::IDENTITY), small.at(far)).unwrap();
    assert_eq!(question.progress().intersects, None);
    assert_eq!(question.spend(100).intersects, Some(false));
}

#[test]
fn a_clock_can_stop_it_at_any_step() {
    let knot = Shape::from(torus_knot(2, 3, 4000).unwrap());
    let pose = Pose::from_translation(Vec3::new(0.2, 0.1, 0.05)).unwrap();
    let apart = Pose::from_translation(Vec3::new(6.5, 0.1, 0.05)).unwrap();
    for pose in [pose, apart] {
        let (a, b) = (knot.at(Pose::IDENTITY), knot.at(pose));
        let mut steps = 0;
        let mut question = Gradual::new(a, b).unwrap();
        let progress = question.run_while(|| {
            steps += 1;
            steps <= 7
        });
        assert_eq!(steps, 8);
        assert!((7..=56).contains(&progress.spent) && !progress.is_final);
        assert!(progress.level > 0);
        assert!(question.run_while(|| true).is_final);
    }
}

#[test]
fn errors_shrink_along_a_path() {
    let knot = Shape::from(torus_knot(2, 3, 2000).unwrap());
    let mut widths = [0.0; 4];
    for pose in approach(20).unwrap() {
        let mut question = Gradual::new(knot.at(Pose::IDENTITY), knot.at(pose)).unwrap();
        for (width, budget) in widths.iter_mut().zip([50, 200, 800, 3200]) {
            *width += question.spend(budget).bounds.width();
        }
    }
    assert!(widths.windows(2).all(|two| two[1] <= two[0]), "{widths:?}");
    assert!(widths[3] < 0.3 * widths[0], "{widths:?}");
}

#[test]
fn convex_shapes_are_refused_and_extreme_sizes_are_not() {
    let cube = Shape::cuboid(Vec3::ONE).unwrap();
    let knot = Shape::from(torus_knot(2, 3, 300).unwrap());
    let refused = Gradual::new(cube.at(Pose::IDENTITY), knot.at(Pose::IDENTITY));
    assert!(refused.unwrap_err().to_string().contains("height fields"));
    let huge = |x: f64| {
        let corners = vec![Vec3::X * x, Vec3::Y * x, Vec3::Z * x];
        Shape::from(TriMesh::new(corners, vec![[0, 1, 2]]).unwrap())
    };
    let (a, b) = (huge(1e300), huge(1e-300));
    let mut question = Gradual::new(a.at(Pose::IDENTITY), b.at(Pose::IDENTITY)).unwrap();
    assert!(!question.spend(0).is_final);
    let known = question.spend(1);
    assert!(known.is_final && known.spent == 1 && known.intersects == Some(false));
    let exact = query::distance(a.at(Pose::IDENTITY), b.at(Pose::IDENTITY));
    assert_eq!(question.finish(), exact);
}

#[test]
fn sphere_trees_keep_budgets_too() {
    let mut rng = rng(402);
    let knot = Arc::new(torus_knot(2, 3, 600).unwrap());
    let tiled = Quinlan::usual(Arc::clone(&knot));
    let skeletal = Hubbard::new(Arc::clone(&knot), 600).unwrap();
    let shape = Shape::Mesh(Arc::clone(&knot));
    for (round, pose) in approach(if is_full() { 60 } else { 9 })
        .unwrap()
        .iter()
        .enumerate()
    {
        let exact = query::distance(shape.at(Pose::IDENTITY), shape.at(*pose));
        let what = format!("{round}");
        let mut first = GradualSearch::new(tiled.at(Pose::IDENTITY), tiled.at(*pose));
        walk(&mut rng, &exact, &what, |budget| first.spend(budget));
        let mut second = GradualSearch::new(skeletal.at(Pose::IDENTITY), skeletal.at(*pose));
        walk(&mut rng, &exact, &what, |budget| second.spend(budget));
        for found in [first.finish(), second.finish()] {
            assert_eq!(found.distance == 0.0, exact.distance == 0.0);
            assert!(found.bounds.lower <= exact.bounds.upper);
            assert!(exact.bounds.lower <= found.bounds.upper);
            assert!(found.bounds.width() < 1e-11);
        }
    }
}

fn walk(
    rng: &mut impl Rng,
    exact: &Separation,
    what: &str,
    mut spend: impl FnMut(u64) -> Progress,
) {
    let mut before = spend(0);
    while !before.is_final {
        let budget = [8, 20, 300, 5000][rng.random_range(0..4)];
        let now = spend(budget);
        assert!(now.spent - before.spent <= budget, "{what}: {now:?}");
        check_progress(&now, Some(&before), exact, what);
        before = now;
    }
}
