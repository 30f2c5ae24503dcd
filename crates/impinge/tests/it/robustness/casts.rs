//! Cases about shapes that move: when they first touch.

use super::{Body, ROUNDING, capsule, cylinder, half, hull, single, size, sphere};
use impinge::{Impact, ImpactKind, Motion, Vec3, query};

/// The times asked for, in the unit of the motion.
const TOLERANCES: [f64; 3] = [1e-3, 1e-6, 1e-11];

fn moving(body: &Body, velocity: [f64; 3]) -> Motion {
    Motion::new(body.pose(), Vec3::from(velocity), Vec3::ZERO, Vec3::ZERO).unwrap()
}

fn cast(
    a: &Body,
    motion_a: &Motion,
    b: &Body,
    motion_b: &Motion,
    tolerance: f64,
) -> Option<Impact> {
    let answer = query::time_of_impact(&a.shape, motion_a, &b.shape, motion_b, tolerance);
    answer.unwrap()
}

/// They first touch at this time, either way round.
fn touch_at(a: &Body, motion_a: &Motion, b: &Body, motion_b: &Motion, time: f64) {
    for tolerance in TOLERANCES {
        for impact in [
            cast(a, motion_a, b, motion_b, tolerance),
            cast(b, motion_b, a, motion_a, tolerance),
        ] {
            let impact = impact.expect("a hit");
            assert_eq!(impact.kind, ImpactKind::Contact);
            let early = time - impact.time;
            assert!(
                early >= -1e-15 && early <= tolerance + 1e-12,
                "{impact:?}, not {time}"
            );
            assert!(
                impact.bounds.upper >= time - 1e-12,
                "{impact:?}, not {time}"
            );
        }
    }
}

fn never_touch(a: &Body, motion_a: &Motion, b: &Body, motion_b: &Motion) {
    for tolerance in TOLERANCES {
        assert_eq!(cast(a, motion_a, b, motion_b, tolerance), None);
        assert_eq!(cast(b, motion_b, a, motion_a, tolerance), None);
    }
}

/// jolt#2103: a depth of 7.25 m. A cylinder rests against a huge capsule, and is cast.
#[test]
fn r061_cylinder_against_a_huge_capsule_hits_at_once() {
    let a =
        cylinder([0.3, 0.4975])
            .along_y()
            .moved(single([-0.951660156, -2.09155273, -7.63574218]));
    let b = capsule(single([2.03114343, 7.19732189])).along_y();
    let motion = moving(&a, [0.00244140625, -0.0068359375, 0.0029296875]);
    let impact = cast(&a, &motion, &b, &Motion::still(b.pose()), 1e-6).expect("a hit");
    assert_eq!((impact.kind, impact.time), (ImpactKind::Start, 0.0));
}

/// parry#317: a nonlinear cast returned nothing.
#[test]
fn r100_rotating_and_translating_boxes() {
    let a = half([235.0, 105.0, 110.0])
        .turned_by([-0.542044, 5.3359954e-20, 9.459897e-20, -0.84035015])
        .moved([6458.7905, -209.1331, 1014.52124]);
    let b = half([650.0, 330.0, 275.0])
        .turned_by([0.99999607, 0.002524775, -0.00026210435, -0.0012064485])
        .moved([6079.4917, -849.3108, 853.8756]);
    let motion = Motion::new(
        a.pose(),
        Vec3::new(588.2583, -553.06335, 471.54688),
        Vec3::new(0.0, 0.0, -1.770823),
        Vec3::new(99.97085, -2.2888184e-05, -35.0),
    );
    let (motion, rest) = (motion.unwrap(), Motion::still(b.pose()));
    let time = 0.09393358396433674;
    for tolerance in TOLERANCES {
        let impact = cast(&a, &motion, &b, &rest, tolerance).expect("a hit");
        assert_eq!(impact.kind, ImpactKind::Contact);
        assert!(
            (impact.time - time).abs() <= tolerance + 1e-12,
            "{impact:?}"
        );
        assert!(impact.time <= time + 1e-12);
        let gap = query::distance(
            a.shape.at(motion.pose_at(impact.time).unwrap()),
            b.shape.at(b.pose()),
        );
        assert!(gap.distance > 0.0 && gap.distance <= 1e3 * tolerance + ROUNDING * size(&a, &b));
    }
}

/// parry#194: kept as a regression pose by the project. The hull in place of the open mesh, which is as wide.
#[test]
fn r101_fast_pyramids() {
    let pyramid = hull(&[
        [0.0, 1.0, 0.0],
        [-1.0, -0.5, 0.0],
        [0.0, -0.5, -1.0],
        [1.0, -0.5, 0.0],
    ]);
    let far = pyramid.clone().moved([1000.0, 0.0, 0.0]);
    // In a tenth of a second at 100 000 a second.
    let motion = moving(&pyramid, [10_000.0, 0.0, 0.0]);
    touch_at(&pyramid, &motion, &far, &Motion::still(far.pose()), 0.0998);
}

/// parry#35: kept as a regression pose by the project.
#[test]
fn r103_balls_head_on() {
    let (a, b) = (sphere(0.5), sphere(0.5).moved([0.0, 10.0, 0.0]));
    touch_at(
        &a,
        &moving(&a, [0.0, 10.0, 0.0]),
        &b,
        &Motion::still(b.pose()),
        0.9,
    );
}

/// parry#123: an infinite loop. The triangle has a thickness here, which changes nothing about the miss.
#[test]
fn r105_denormal_velocity() {
    let ball = sphere(0.375);
    let corners = [[0.5, -0.5], [-0.5, -0.5], [-0.5, 0.5]];
    let sheet: Vec<[f64; 3]> = corners
        .iter()
        .flat_map(|[x, y]| [[*x, *y, -1e-3], [*x, *y, 1e-3]])
        .collect();
    let sheet = hull(&sheet).moved([11.5, 5.5, 0.0]);
    let velocity = [0.0, f64::from(6.925e-42_f32), 0.0];
    never_touch(
        &ball,
        &moving(&ball, velocity),
        &sheet,
        &Motion::still(sheet.pose()),
    );
}

/// parry's test time_of_impact3.
#[test]
fn r106_ball_towards_a_cube_corner() {
    let (ball, cube) = (sphere(1.0).moved([2.0; 3]), half([1.0; 3]));
    let (motion_a, motion_b) = (moving(&ball, [-0.5; 3]), moving(&cube, [1.0; 3]));
    touch_at(&ball, &motion_a, &cube, &motion_b, 0.2817664872069161);

    let inside = sphere(1.0).moved([1.0; 3]);
    let impact = cast(&inside, &moving(&inside, [-0.5; 3]), &cube, &motion_b, 1e-6);
    assert_eq!(impact.expect("a hit").kind, ImpactKind::Start);

    let far = sphere(1.0).moved([3.0; 3]);
    let (away, aside) = (moving(&far, [2.0; 3]), moving(&cube, [-1.0, 1.0, 1.0]));
    never_touch(&far, &away, &cube, &aside);
}

/// physx#597: no hit. The triangle as a thin prism behind its own plane, which the capsule meets at the same time.
#[test]
fn r110_capsule_sweep_against_a_triangle() {
    let a = capsule(single([0.340350509, 0.265350759]))
        .along_y()
        .moved(single([7.74110079, 80.8543167, -27.2595482]));
    let corners = [
        [7.3329401, 79.6109009, -26.9337997],
        [7.61456013, 80.2574005, -27.3008995],
        [7.3329401, 80.2574005, -26.9337997],
    ]
    .map(|corner| Vec3::from(single(corner)));
    let normal = (corners[1] - corners[0])
        .cross(corners[2] - corners[0])
        .normalize();
    let behind = if normal.dot(a.translation - corners[0]) > 0.0 {
        -normal
    } else {
        normal
    };
    let prism: Vec<[f64; 3]> = corners
        .iter()
        .flat_map(|c| [*c, *c + behind * 1e-8])
        .map(Into::into)
        .collect();
    let b = hull(&prism);
    let direction = Vec3::from(single([-0.929564953, -0.0281119142, 0.367584974]));
    let [length] = single([0.149537891]);
    let motion = moving(&a, (direction * length).into());
    let impact = cast(&a, &motion, &b, &Motion::still(b.pose()), 1e-7).expect("a hit");
    assert!(
        (impact.time * length - 0.0943952538892068).abs() < 1e-6,
        "{impact:?}"
    );
}

/// physx#610: 2.9975 instead of 3.
#[test]
fn r111_cube_dropped_on_a_cube() {
    let [a, b] = [15.0, 10.0].map(|y| half([1.0; 3]).moved([0.0, y, 0.0]));
    touch_at(
        &a,
        &moving(&a, [0.0, -4.0, 0.0]),
        &b,
        &Motion::still(b.pose()),
        0.75,
    );
}
