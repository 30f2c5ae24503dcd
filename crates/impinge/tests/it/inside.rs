//! Points in closed meshes, against two oracles that cast no rays: signed tetrahedra for any closed mesh, and the cells
//! themselves for surfaces of grid cells.

use crate::rational::{Point, hulls_intersect, in_common_unit};
use impinge::exact::{Location, locate, winding_number};
use impinge::{Solid, TriMesh, Vec3};
use num_bigint::BigInt;
use proptest::prelude::*;

type Triangle = [Vec3; 3];

/// The winding number as a sum of tetrahedra: a closed surface bounds the signed sum of the tetrahedra from its
/// triangles to one point, whatever that point is, and counts how many of them hold `p`. `None` on the surface.
///
/// The count is right when `p` is on no face of these tetrahedra; other apexes are tried until it is.
fn winding_oracle(p: Vec3, triangles: &[Triangle]) -> Option<i64> {
    if triangles.iter().any(|t| hulls_intersect(&[p], t)) {
        return None;
    }
    let size = triangles
        .iter()
        .flatten()
        .map(|v| v.abs().max_element())
        .fold(0.0, f64::max);
    let apexes = (1..).map(|k: i32| {
        let k = f64::from(k);
        Vec3::new(0.31 + 0.01 * k, -0.577 * k, 0.141 - 0.023 * k * k) * size
    });
    let count = apexes
        .take(50)
        .find_map(|apex| signed_tetrahedra(p, apex, triangles));
    Some(count.expect("one of fifty apexes is in general position"))
}

fn signed_tetrahedra(p: Vec3, apex: Vec3, triangles: &[Triangle]) -> Option<i64> {
    let points = in_common_unit(&[&[p, apex], triangles.as_flattened()].concat());
    let (p, apex) = (&points[0], &points[1]);
    let mut sum = 0;
    for corners in points[2..].chunks(3) {
        let (a, b, c) = (&corners[0], &corners[1], &corners[2]);
        // Positive when the triangle faces away from the apex.
        let whole = oriented(apex, a, b, c);
        if whole == 0 {
            continue;
        }
        let parts = [
            oriented(p, a, b, c),
            oriented(apex, p, b, c),
            oriented(apex, a, p, c),
            oriented(apex, a, b, p),
        ];
        if parts.contains(&-whole) {
            continue;
        }
        if parts.contains(&0) {
            return None;
        }
        sum += whole;
    }
    Some(sum)
}

/// The sign of the volume of a tetrahedron: positive where `b`, `c`, `d` turn clockwise seen from `a`.
fn oriented(a: &Point, b: &Point, c: &Point, d: &Point) -> i64 {
    let [u, v, w] = [b, c, d].map(|p| [0, 1, 2].map(|k| &p[k] - &a[k]));
    let volume: BigInt = (0..3)
        .map(|i| &u[i] * (&v[(i + 1) % 3] * &w[(i + 2) % 3] - &v[(i + 2) % 3] * &w[(i + 1) % 3]))
        .sum();
    i64::from(volume > BigInt::ZERO) - i64::from(volume < BigInt::ZERO)
}

/// A map of the grid into space that keeps equal points equal: a shear, a scale and a shift.
#[derive(Debug, Clone, Copy)]
struct Placement {
    shear: [i32; 3],
    scale: f64,
    shift: f64,
}

impl Placement {
    fn place(&self, [x, y, z]: [i32; 3]) -> Vec3 {
        let [p, q, r] = self.shear;
        let y = y + p * x;
        let z = z + q * x + r * y;
        Vec3::from_array([x, y, z].map(|i| (f64::from(i) + self.shift) * self.scale))
    }
}

fn placement() -> impl Strategy<Value = Placement> {
    let shear = prop_oneof![Just([0, 0, 0]), prop::array::uniform3(-2i32..=2)];
    let scale = prop::sample::select(vec![1.0, 0.1, 1e-9, 1e150, 1e-200]);
    let shift = prop::sample::select(vec![0.0, 0.0, 1e3]);
    (shear, scale, shift).prop_map(|(shear, scale, shift)| Placement {
        shear,
        scale,
        shift,
    })
}

/// Placements without rounding, so that what is on one plane of the grid stays on one plane.
fn exact_placement() -> impl Strategy<Value = Placement> {
    let scale = prop::sample::select(vec![1.0, 2f64.powi(-30), 2f64.powi(500), 2f64.powi(-660)]);
    (placement(), scale).prop_map(|(placement, scale)| Placement { scale, ..placement })
}

/// The surfaces of several tetrahedra, of either orientation, flat ones included: closed, and winding up to several
/// times around a point.
fn tetrahedra() -> impl Strategy<Value = Vec<[[i32; 3]; 3]>> {
    let corner = prop::array::uniform3(-2i32..=2);
    prop::collection::vec(prop::array::uniform4(corner), 1..5).prop_map(|list| {
        list.into_iter()
            .flat_map(|[a, b, c, d]| [[a, c, b], [a, b, d], [b, c, d], [a, d, c]])
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn winding_numbers_are_right(
        grid in tetrahedra(),
        p in prop::array::uniform3(-2i32..=2),
        placement in placement(),
    ) {
        let mesh: Vec<Triangle> = grid.iter().map(|t| t.map(|v| placement.place(v))).collect();
        let p = placement.place(p);
        let expected = winding_oracle(p, &mesh);
        prop_assert_eq!(winding_number(p, mesh.iter().copied()), expected);
        let reversed = mesh.iter().map(|[a, b, c]| [*c, *b, *a]);
        prop_assert_eq!(winding_number(p, reversed), expected.map(|n| -n));
    }
}

/// Cells of a 3 x 3 x 3 block.
type Cells = [bool; 27];

fn holds(cells: &Cells, [x, y, z]: [i32; 3]) -> bool {
    let in_block = [x, y, z].iter().all(|i| (0..3).contains(i));
    in_block && cells[(x + 3 * y + 9 * z) as usize]
}

/// The faces between cells that are there and cells that are not, seen counter-clockwise from outside, with corners in
/// steps of half a cell.
fn surface(cells: &Cells) -> Vec<[[i32; 3]; 3]> {
    let mut triangles = Vec::new();
    for cell in (0..27).map(|n| [n % 3, n / 3 % 3, n / 9]) {
        for (axis, side) in (0..6).map(|n| (n % 3, n / 3)) {
            let mut neighbour = cell;
            neighbour[axis] += 2 * side as i32 - 1;
            if !holds(cells, cell) || holds(cells, neighbour) {
                continue;
            }
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let corner = |du: i32, dv: i32| {
                let mut p = cell.map(|i| 2 * i);
                p[axis] += 2 * side as i32;
                p[u] += 2 * du;
                p[v] += 2 * dv;
                p
            };
            let mut face = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            if side == 0 {
                face.reverse();
            }
            let [a, b, c, d] = face;
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    triangles
}

/// Where a point is, given in half cells: the cells around it are all there, none is, or some are.
fn location_among(cells: &Cells, p: [i32; 3]) -> Location {
    let around = (0..8).map(|corner: i32| {
        std::array::from_fn(|k| {
            let behind = corner >> k & 1;
            // A point inside a cell, seen along an axis, has that cell on both sides.
            (p[k] - behind).div_euclid(2)
        })
    });
    let there = around.filter(|cell| holds(cells, *cell)).count();
    match there {
        0 => Location::Outside,
        8 => Location::Inside,
        _ => Location::Boundary,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Cells that meet in faces, edges and corners, with tunnels and cavities; every half-grid point in and around.
    #[test]
    fn surfaces_of_cells_are_right(
        cells in prop::array::uniform27(prop::bool::weighted(0.5)),
        placement in exact_placement(),
    ) {
        let mesh: Vec<Triangle> =
            surface(&cells).iter().map(|t| t.map(|v| placement.place(v))).collect();
        for p in (0..9 * 9 * 9).map(|n| [n % 9 - 1, n / 9 % 9 - 1, n / 81 - 1]) {
            let location = locate(placement.place(p), mesh.iter().copied());
            prop_assert_eq!(location, location_among(&cells, p), "{:?}", p);
        }
    }
}

#[test]
fn a_solid_locates_points_as_its_triangles_do() {
    let mut shell = [true; 27];
    shell[13] = false;
    let corners = surface(&shell).into_iter().flatten();
    let vertices: Vec<Vec3> = corners
        .map(|p| Vec3::from_array(p.map(f64::from)))
        .collect();
    let count = vertices.len() as u32 / 3;
    let triangles = (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let solid = Solid::new(TriMesh::new(vertices, triangles).unwrap()).unwrap();
    for p in (0..9 * 9 * 9).map(|n| [n % 9 - 1, n / 9 % 9 - 1, n / 81 - 1]) {
        let expected = location_among(&shell, p);
        assert_eq!(solid.locate(Vec3::from_array(p.map(f64::from))), expected);
    }
    assert_eq!(solid.locate(Vec3::splat(f64::NAN)), Location::Outside);
}
