//! Points against closed meshes: a few tetrahedra, which may overlap, be inside out, or be flat.

use super::{Random, Verdict, anywhere, on_lattice, pairs, run, scale};
use crate::oracle::{Location, locate};
use impinge::Vec3;
use impinge::exact::winding_number;
use rand::RngExt;

#[test]
fn mass_points_in_solids() {
    run(
        "points in closed meshes",
        pairs(6_000, 120_000),
        &[
            ("lattice", &|r| check(r, lattice_solid)),
            ("anywhere", &|r| check(r, random_solid)),
            ("scales 1e-290 to 1e290", &|r| check(r, scaled_solid)),
        ],
    );
}

struct Case {
    point: Vec3,
    triangles: Vec<[Vec3; 3]>,
}

/// A pair "meets" when the point is not outside.
fn check(random: &mut Random, make: impl Fn(&mut Random) -> Case) -> Verdict {
    let Case { point, triangles } = make(random);
    let location = locate(point, &triangles);
    let expected = match location {
        Location::Surface => None,
        Location::Off(winding) => Some(i64::from(winding)),
    };
    let answer = winding_number(point, triangles.iter().copied());
    Verdict {
        meets: location != Location::Off(0),
        wrong: (answer != expected)
            .then(|| format!("{answer:?}, not {expected:?}: {point} {triangles:?}")),
    }
}

fn lattice_solid(random: &mut Random) -> Case {
    Case {
        point: on_lattice(random, 2),
        triangles: tetrahedra(random, |r| on_lattice(r, 4)),
    }
}

/// Sometimes with the point level with a corner, where a ray along an axis meets it.
fn random_solid(random: &mut Random) -> Case {
    let triangles = tetrahedra(random, anywhere);
    let mut point = anywhere(random) * 0.5;
    let corner = triangles[0][0];
    match random.random_range(0..4) {
        0 => point = Vec3::new(point.x, corner.y, corner.z),
        1 => point.z = corner.z,
        2 => point = corner.midpoint(triangles[0][1]),
        _ => {}
    }
    Case { point, triangles }
}

fn scaled_solid(random: &mut Random) -> Case {
    let factor = scale(random, -290..=290);
    let case = lattice_solid(random);
    Case {
        point: case.point * factor,
        triangles: case
            .triangles
            .iter()
            .map(|t| t.map(|p| p * factor))
            .collect(),
    }
}

/// The faces of one to three tetrahedra, all of them turned outward or all inward.
fn tetrahedra(random: &mut Random, corner: impl Fn(&mut Random) -> Vec3) -> Vec<[Vec3; 3]> {
    (0..random.random_range(1..=3))
        .flat_map(|_| {
            let [p, q, r, s] = [(); 4].map(|()| corner(random));
            [[p, q, r], [p, r, s], [p, s, q], [q, s, r]]
        })
        .collect()
}
