//! Pairs with a formula: the certified interval must hold the value that the formula gives with 320 digits.

use super::fixed::Fixed;
use super::{random_point, random_pose, random_size};
use impinge::{Interval, Mat3, Placed, Pose, Separation, Shape, Vec3, reference};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Checks the answer both ways round, and that 0 is said exactly when the shapes meet.
fn check(a: Placed<'_>, b: Placed<'_>, truth: &Fixed) {
    for answer in [reference::distance(a, b), reference::distance(b, a)] {
        let Separation {
            bounds, distance, ..
        } = answer;
        assert!(truth.is_in(bounds), "{truth:?}\n{answer:?}\n{a:?}\n{b:?}");
        assert!(bounds.contains(distance), "{answer:?}");
        let is_positive = *truth > Fixed::from(1e-15);
        assert_eq!(distance > 0.0, is_positive, "{answer:?}\n{a:?}\n{b:?}");
    }
    assert_eq!(reference::intersects(a, b), *truth <= Fixed::from(1e-15));
}

/// The exact coordinates of `p - q`.
fn difference(p: Vec3, q: Vec3) -> [Fixed; 3] {
    [0, 1, 2].map(|i| Fixed::from(p[i]) - Fixed::from(q[i]))
}

fn length(v: &[Fixed]) -> Fixed {
    let squares = v.iter().map(Fixed::square);
    squares.fold(Fixed::zero(), |sum, s| sum + s).sqrt()
}

fn positive(x: Fixed) -> Fixed {
    x.max(Fixed::zero())
}

fn at(p: Vec3) -> Pose {
    Pose::from_translation(p).unwrap()
}

/// A tenth of all points share coordinates with the origin, to meet the degenerate cases.
fn snapped_point(rng: &mut impl Rng, reach: f64) -> Vec3 {
    let p = random_point(rng, reach);
    let mut keep = |x: f64| if rng.random_bool(0.1) { 0.0 } else { x };
    Vec3::new(keep(p.x), keep(p.y), keep(p.z))
}

#[test]
fn sphere_to_sphere() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for _ in 0..500 {
        let (p, q) = (snapped_point(&mut rng, 2.0), snapped_point(&mut rng, 2.0));
        let (r, s) = (random_size(&mut rng, 1e3), random_size(&mut rng, 1e3));
        let truth = length(&difference(p, q)) - Fixed::from(r) - Fixed::from(s);
        let (a, b) = (Shape::sphere(r).unwrap(), Shape::sphere(s).unwrap());
        // Spheres do not care how they are turned.
        let turned = Pose::from_matrix(*random_pose(&mut rng, 1.0).matrix(), p).unwrap();
        check(a.at(turned), b.at(at(q)), &positive(truth));
    }
}

#[test]
fn sphere_to_box() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    for _ in 0..500 {
        let half = Vec3::new(random_size(&mut rng, 1e3), random_size(&mut rng, 1e3), 0.5);
        let (p, r) = (snapped_point(&mut rng, 2.0), random_size(&mut rng, 1e3));
        let beyond = [0, 1, 2].map(|i| positive(Fixed::from(p[i].abs()) - Fixed::from(half[i])));
        let truth = length(&beyond) - Fixed::from(r);
        let (a, b) = (Shape::sphere(r).unwrap(), Shape::cuboid(half).unwrap());
        check(a.at(at(p)), b.at(Pose::IDENTITY), &positive(truth));
    }
}

#[test]
fn box_to_box_along_the_axes() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    for _ in 0..500 {
        // Quarters, so that placed corners are exact and touching is common.
        let mut quarters = |low: i32, high: i32| {
            let mut quarter = || 0.25 * f64::from(rng.random_range(low..=high));
            Vec3::new(quarter(), quarter(), quarter())
        };
        let (g, h, p) = (quarters(1, 4), quarters(1, 4), quarters(-8, 8));
        let beyond = [0, 1, 2].map(|i| Fixed::from((p[i].abs() - g[i] - h[i]).max(0.0)));
        let (a, b) = (Shape::cuboid(g).unwrap(), Shape::cuboid(h).unwrap());
        check(a.at(Pose::IDENTITY), b.at(at(p)), &length(&beyond));
    }
}

/// The squared distance of two segments by all candidates: the common perpendicular, or an end of one.
fn segment_distance([p, q]: [Vec3; 2], [r, s]: [Vec3; 2]) -> Fixed {
    let dot = |u: &[Fixed; 3], v: &[Fixed; 3]| {
        (0..3).fold(Fixed::zero(), |sum, i| sum + u[i].clone() * v[i].clone())
    };
    let (d, e, w) = (difference(q, p), difference(s, r), difference(p, r));
    let (a, b, c) = (dot(&d, &d), dot(&d, &e), dot(&e, &e));
    let (f, g) = (dot(&d, &w), dot(&e, &w));
    let one = Fixed::from(1.0);
    let clamp = |x: Fixed| x.max(Fixed::zero()).min(one.clone());
    let between = |t: &Fixed, u: &Fixed| {
        let at = |i: usize| w[i].clone() + d[i].clone() * t.clone() - e[i].clone() * u.clone();
        length(&[at(0), at(1), at(2)])
    };
    let mut best = between(&Fixed::zero(), &Fixed::zero());
    for end in [Fixed::zero(), one.clone()] {
        if c > Fixed::zero() {
            let u = clamp((g.clone() + b.clone() * end.clone()) / c.clone());
            best = best.min(between(&end, &u));
        }
        if a > Fixed::zero() {
            let t = clamp((b.clone() * end.clone() - f.clone()) / a.clone());
            best = best.min(between(&t, &end));
        }
        best = best
            .min(between(&end, &Fixed::zero()))
            .min(between(&end, &one));
    }
    let determinant = a.clone() * c.clone() - b.square();
    if determinant > Fixed::from(1e-60) {
        let t = (b.clone() * g.clone() - c * f.clone()) / determinant.clone();
        let u = (a * g - b * f) / determinant;
        if t == clamp(t.clone()) && u == clamp(u.clone()) {
            best = best.min(between(&t, &u));
        }
    }
    best
}

#[test]
fn capsule_to_capsule() {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    for round in 0..500 {
        let mut capsule = || {
            let (h, r) = (random_size(&mut rng, 1e3), random_size(&mut rng, 1e3));
            let pose = if round % 2 == 0 {
                random_pose(&mut rng, 1.5)
            } else {
                at(snapped_point(&mut rng, 1.5))
            };
            (h, r, pose)
        };
        let ((h, r, pose_a), (k, s, pose_b)) = (capsule(), capsule());
        let (a, b) = (Shape::capsule(h, r).unwrap(), Shape::capsule(k, s).unwrap());
        let ends = |pose: &Pose, h: f64| [Vec3::Z * -h, Vec3::Z * h].map(|v| pose.place(v));
        let core = segment_distance(ends(&pose_a, h), ends(&pose_b, k));
        let truth = core - Fixed::from(r) - Fixed::from(s);
        check(a.at(pose_a), b.at(pose_b), &positive(truth));
    }
}

#[test]
fn sphere_to_cylinder() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    for _ in 0..400 {
        let (h, r) = (random_size(&mut rng, 1e3), random_size(&mut rng, 1e3));
        let (p, s) = (snapped_point(&mut rng, 2.0), random_size(&mut rng, 1e3));
        let across = length(&[Fixed::from(p.x), Fixed::from(p.y)]) - Fixed::from(r);
        let along = Fixed::from(p.z.abs()) - Fixed::from(h);
        let core = length(&[positive(across), positive(along)]);
        let (a, b) = (Shape::sphere(s).unwrap(), Shape::cylinder(h, r).unwrap());
        check(
            a.at(at(p)),
            b.at(Pose::IDENTITY),
            &positive(core - Fixed::from(s)),
        );
    }
}

#[test]
fn sphere_to_cone() {
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    for _ in 0..400 {
        let (h, r) = (random_size(&mut rng, 1e3), random_size(&mut rng, 1e3));
        let (p, s) = (snapped_point(&mut rng, 2.0), random_size(&mut rng, 1e3));
        let core = cone_distance(h, r, p);
        let (a, b) = (Shape::sphere(s).unwrap(), Shape::cone(h, r).unwrap());
        check(
            a.at(at(p)),
            b.at(Pose::IDENTITY),
            &positive(core - Fixed::from(s)),
        );
    }
}

/// The distance of a point from a cone: in the half-plane through the axis, from the triangle of apex, rim and base centre.
fn cone_distance(h: f64, r: f64, p: Vec3) -> Fixed {
    let [h, r, z] = [h, r, p.z].map(Fixed::from);
    let across = length(&[Fixed::from(p.x), Fixed::from(p.y)]);
    // From the rim (r, -h) to the apex (0, h), outward to the right.
    let (edge_x, edge_z) = (-r.clone(), h.clone() + h.clone());
    let (from_x, from_z) = (across.clone() - r.clone(), z.clone() + h.clone());
    let edge_squared = edge_x.square() + edge_z.square();
    let outside = from_x.clone() * edge_z.clone() - from_z.clone() * edge_x.clone();
    let below = -h.clone() - z;
    if below > Fixed::zero() && across <= r {
        return below;
    }
    if below <= Fixed::zero() && outside <= Fixed::zero() {
        return Fixed::zero();
    }
    let along = (from_x.clone() * edge_x.clone() + from_z.clone() * edge_z.clone()) / edge_squared;
    let along = along.max(Fixed::zero()).min(Fixed::from(1.0));
    length(&[from_x - edge_x * along.clone(), from_z - edge_z * along])
}

#[test]
fn point_to_ellipsoid() {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    for _ in 0..150 {
        let radii = Vec3::new(
            random_size(&mut rng, 1e3),
            random_size(&mut rng, 1e3),
            random_size(&mut rng, 1e3),
        );
        let p = snapped_point(&mut rng, 2.0);
        let (a, b) = (
            Shape::sphere(0.0).unwrap(),
            Shape::ellipsoid(radii).unwrap(),
        );
        check(
            a.at(at(p)),
            b.at(Pose::IDENTITY),
            &ellipsoid_distance(radii, p),
        );
    }
}

/// The nearest point `x` of an ellipsoid satisfies `p - x = t * gradient / 2`, so `x_i = p_i r_i^2 / (r_i^2 + t)`, with the
/// `t > 0` that puts it on the surface; found by bisection.
fn ellipsoid_distance(radii: Vec3, p: Vec3) -> Fixed {
    let [p, r] = [p, radii].map(|v| v.to_array().map(Fixed::from));
    let scaled = |t: &Fixed, i: usize| p[i].clone() * r[i].clone() / (r[i].square() + t.clone());
    let level = |t: &Fixed| (0..3).fold(Fixed::zero(), |sum, i| sum + scaled(t, i).square());
    let one = Fixed::from(1.0);
    if level(&Fixed::zero()) <= one {
        return Fixed::zero();
    }
    let (mut low, mut high) = (Fixed::zero(), Fixed::from(16.0));
    for _ in 0..330 {
        let middle = (low.clone() + high.clone()).half();
        if level(&middle) > one {
            low = middle;
        } else {
            high = middle;
        }
    }
    let gap = |i: usize| p[i].clone() - scaled(&low, i) * r[i].clone();
    length(&[gap(0), gap(1), gap(2)])
}

#[test]
fn sphere_to_half_space() {
    let mut rng = ChaCha8Rng::seed_from_u64(18);
    for _ in 0..400 {
        let normal = snapped_point(&mut rng, 3.0) + Vec3::Z * 1e-3;
        let (d, s) = (rng.random_range(-1.0..1.0), random_size(&mut rng, 1e3));
        let p = snapped_point(&mut rng, 2.0);
        let along = (0..3).fold(-Fixed::from(d), |sum, i| {
            sum + Fixed::from(normal[i]) * Fixed::from(p[i])
        });
        let truth = along / length(&normal.to_array().map(Fixed::from)) - Fixed::from(s);
        let (a, b) = (
            Shape::sphere(s).unwrap(),
            Shape::half_space(normal, d).unwrap(),
        );
        check(a.at(at(p)), b.at(Pose::IDENTITY), &positive(truth));
    }
}

#[test]
fn curved_to_half_space() {
    let mut rng = ChaCha8Rng::seed_from_u64(19);
    for round in 0..300 {
        let normal = snapped_point(&mut rng, 3.0) + Vec3::Z * 1e-3;
        let (d, p) = (rng.random_range(-1.0..1.0), snapped_point(&mut rng, 2.0));
        let (h, r) = (random_size(&mut rng, 1e3), random_size(&mut rng, 1e3));
        let n = normal.to_array().map(Fixed::from);
        let [h_fixed, r_fixed] = [h, r].map(Fixed::from);
        let flat = length(&n[..2]) * r_fixed.clone();
        let up = n[2].clone() * h_fixed;
        // How far each body reaches against the normal.
        let (shape, reach) = match round % 3 {
            0 => (Shape::cylinder(h, r), flat + up.abs()),
            1 => (Shape::cone(h, r), (-up.clone()).max(flat + up)),
            _ => {
                let stretched = [n[0].clone() * r_fixed.clone(), n[1].clone() * r_fixed, up];
                (Shape::ellipsoid(Vec3::new(r, r, h)), length(&stretched))
            }
        };
        let along = (0..3).fold(-Fixed::from(d), |sum, i| {
            sum + n[i].clone() * Fixed::from(p[i])
        });
        let truth = (along - reach) / length(&n);
        let half_space = Shape::half_space(normal, d).unwrap();
        check(
            shape.unwrap().at(at(p)),
            half_space.at(Pose::IDENTITY),
            &positive(truth),
        );
    }
}

#[test]
fn sizes_from_tiny_to_huge_and_far_from_the_origin() {
    for exponent in (-90..=90).step_by(15) {
        let s = f64::powi(10.0, exponent / 10);
        for far in [0.0, 1e3 * s] {
            let a = Shape::cylinder(s, 0.5 * s).unwrap();
            let b = Shape::cone(0.5 * s, 0.25 * s).unwrap();
            // The base of the cone is above the top of the cylinder by s.
            let base = Vec3::new(far, -far, far);
            let above = at(base + Vec3::Z * (2.5 * s));
            let answer = reference::distance(a.at(at(base)), b.at(above));
            let truth = above.translation().z - 0.5 * s - (base.z + s);
            assert!(
                (answer.distance - truth).abs() <= 1e-15 * (far + s),
                "{answer:?}"
            );
            assert!(answer.bounds.width() <= 1e-15 * (far + s), "{answer:?}");
        }
    }
}

#[test]
fn matrices_are_used_as_given() {
    // Off a rotation by 1e-8: the cylinder becomes that much longer, the box, too.
    let stretched = Mat3::from_diagonal(Vec3::new(1.0, 1.0, 1.0 + 1e-8));
    let pose = Pose::from_matrix(stretched, Vec3::ZERO).unwrap();
    let point = Shape::sphere(0.0).unwrap();
    let above = at(Vec3::Z * 3.0);
    let top = 1.0 + 1e-8;
    for shape in [
        Shape::cylinder(1.0, 0.5),
        Shape::cuboid(Vec3::ONE),
        Shape::ellipsoid(Vec3::ONE),
    ] {
        let answer = reference::distance(shape.unwrap().at(pose), point.at(above));
        let truth = Fixed::from(3.0) - Fixed::from(top);
        let Interval { lower, upper } = answer.bounds;
        assert!(truth.is_in(answer.bounds), "{answer:?}");
        assert!(upper - lower <= 1e-15);
    }
}
