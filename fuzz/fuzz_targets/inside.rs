//! Winding numbers of meshes that are sums of tetrahedra, against the tetrahedra themselves and along other rays.
#![no_main]

use impinge::Vec3;
use impinge::exact::{Location, Sign, locate, winding_number};
use impinge_fuzz::{Bytes, cycled, hulls_intersect, orientation, swapped};
use libfuzzer_sys::fuzz_target;

type Tetrahedron = [Vec3; 4];
type Triangle = [Vec3; 3];

fuzz_target!(|data: &[u8]| {
    let mut bytes = Bytes::new(data);
    let count = 1 + usize::from(bytes.byte() % 3);
    let points: [Vec3; 13] = bytes.points();
    let p = points[12];
    let tetrahedra: Vec<Tetrahedron> = (0..count)
        .map(|i| std::array::from_fn(|k| points[4 * i + k]))
        .collect();
    let mesh: Vec<Triangle> = tetrahedra.iter().flat_map(surface).collect();

    let is_on_surface = mesh.iter().any(|t| hulls_intersect(&[p], t));
    let sum = || tetrahedra.iter().map(|t| times_inside(p, t)).sum::<i64>();
    let expected = (!is_on_surface).then(sum);
    assert_eq!(winding_number(p, mesh.iter().copied()), expected);

    let location = match expected {
        None => Location::Boundary,
        Some(0) => Location::Outside,
        Some(_) => Location::Inside,
    };
    assert_eq!(locate(p, mesh.iter().copied()), location);

    // Renaming the axes turns the ray. Rotations keep orientations, reflections reverse them.
    let seen = |map: fn(Vec3) -> Vec3| winding_number(map(p), mesh.iter().map(|t| t.map(map)));
    for rotation in [cycled, |v| cycled(cycled(v))] {
        assert_eq!(seen(rotation), expected);
    }
    for reflection in [
        |v: Vec3| -v,
        |v| -cycled(v),
        |v| -cycled(cycled(v)),
        swapped,
    ] {
        assert_eq!(seen(reflection), expected.map(|n| -n));
    }
});

/// The surface of a tetrahedron, outward if it is positively oriented.
fn surface([a, b, c, d]: &Tetrahedron) -> [Triangle; 4] {
    [[*a, *c, *b], [*a, *b, *d], [*b, *c, *d], [*a, *d, *c]]
}

/// 1 inside, -1 inside a negatively oriented tetrahedron, else 0.
fn times_inside(p: Vec3, tetrahedron: &Tetrahedron) -> i64 {
    // Outward triangles have an inside point on their negative side.
    let sides = surface(tetrahedron).map(|[u, v, w]| orientation(u, v, w, p));
    match sides {
        [
            Sign::Negative,
            Sign::Negative,
            Sign::Negative,
            Sign::Negative,
        ] => 1,
        [
            Sign::Positive,
            Sign::Positive,
            Sign::Positive,
            Sign::Positive,
        ] => -1,
        _ => 0,
    }
}
