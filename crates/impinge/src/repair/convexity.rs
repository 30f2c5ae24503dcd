//! Whether a closed surface is convex, exactly.
//!
//! 1. No edge is reflex: seen from each triangle, its neighbours do not rise above its plane or fold back onto it.
//! 2. A point is strictly below all triangles, and a ray from it meets exactly one of them. After Mehlhorn, Naeher,
//!    Schilz, Schirra, Seel, Seidel and Uhrig (Checking Geometric Programs or Verification of Geometric Structures,
//!    1999): with the first condition, this leaves only the surface of a convex body. Without it, a surface that winds
//!    around a point several times would pass.
//!
//! All signs are exact, and linear in number. The point is the rounded mean of the vertices; a body that is so thin that
//! this is not inside, or a surface with triangles of zero area (across which edges cannot be compared), is reported as
//! undecided when it has no reflex edge.

use super::edges::Edges;
use super::faces::Frame;
use super::report::Convexity;
use super::surface::Surface;
use super::triangles::Triangles;
use crate::exact::{Axis, Sign, are_collinear, normal_component, orientation};
use crate::math::Vec3;

/// What was found out about a closed surface in one component.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) convexity: Convexity,
    /// Edges that are reflex, ascending.
    pub(super) reflex: Vec<[u32; 2]>,
}

/// Looks for what keeps a closed, oriented surface in one component from being convex. `facing` is the sign of its
/// volume: negative when it is inside out.
pub(super) fn check(
    surface: &Surface,
    triangles: &Triangles,
    frame: &Frame,
    facing: Sign,
) -> Outcome {
    let edges = Edges::of_faces(triangles.corners.iter().map(|t| &t[..]));
    let mut is_manifold = true;
    let mut reflex = Vec::new();
    let mut depth: f64 = 0.0;
    for edge in edges.iter() {
        let Some((pair, true)) = edge.pair() else {
            is_manifold = false;
            continue;
        };
        let [s, t] = pair.map(|i| triangles.points(surface, i as usize));
        let [c, d] = pair.map(|i| apex(surface, triangles.corners[i as usize], edge.ends));
        if is_reflex(s, t, d, facing) {
            reflex.push(edge.ends);
            depth = depth.max(height(frame, s, d).min(height(frame, t, c)));
        }
    }
    let convexity = if !reflex.is_empty() {
        Convexity::NotConvex { depth: Some(depth) }
    } else if !is_manifold {
        Convexity::NotConvex { depth: None }
    } else {
        winds_once(surface, triangles, facing)
    };
    Outcome { convexity, reflex }
}

/// The corner of a triangle that is not on an edge of it.
fn apex(surface: &Surface, corners: [u32; 3], edge: [u32; 2]) -> Vec3 {
    let apex = corners.into_iter().find(|v| !edge.contains(v));
    surface.point(apex.expect("the corners of a triangle are distinct"))
}

/// Whether the surface is reflex between two neighbours `s` and `t`, the apex of `t` being `d`.
fn is_reflex(s: [Vec3; 3], t: [Vec3; 3], d: Vec3, facing: Sign) -> bool {
    match orientation(s[0], s[1], s[2], d) * facing {
        Sign::Positive => true,
        Sign::Negative => false,
        // In one plane: they continue each other, or one is folded onto the other.
        Sign::Zero => Axis::ALL.into_iter().any(|axis| {
            let [turn_s, turn_t] = [s, t].map(|[a, b, c]| normal_component(axis, a, b, c));
            turn_s * turn_t == Sign::Negative
        }),
    }
}

/// The distance of a point from the plane of a triangle, relative to the size of the mesh.
fn height(frame: &Frame, triangle: [Vec3; 3], p: Vec3) -> f64 {
    let [a, b, c] = triangle.map(|q| frame.local(q));
    let normal = (b - a).cross(c - a).normalize_or_zero();
    frame.relative(normal.dot(frame.local(p) - a).abs())
}

/// The second condition of the header, for a surface without reflex edges.
fn winds_once(surface: &Surface, triangles: &Triangles, facing: Sign) -> Convexity {
    let all = || (0..triangles.corners.len()).map(|t| triangles.points(surface, t));
    let middle = mean(all().flatten());
    let is_below = |[a, b, c]: [Vec3; 3]| orientation(a, b, c, middle) * facing == Sign::Negative;
    if all().any(|[a, b, c]| are_collinear(a, b, c)) || !all().all(is_below) {
        return Convexity::Undecided;
    }
    // A ray through an edge would count twice or not at all: try another one then.
    const RAYS: usize = 16;
    let count = all()
        .take(RAYS)
        .find_map(|target| count_pierced(all(), middle, mean(target.into_iter()), facing));
    match count {
        Some(1) => Convexity::Convex,
        Some(_) => Convexity::NotConvex { depth: None },
        None => Convexity::Undecided,
    }
}

/// How many triangles the ray from `middle`, which is below all of them, through `target` meets; `None` if it meets one
/// at its border.
fn count_pierced(
    triangles: impl Iterator<Item = [Vec3; 3]>,
    middle: Vec3,
    target: Vec3,
    facing: Sign,
) -> Option<usize> {
    let mut count = 0;
    for [a, b, c] in triangles {
        let sides =
            [[a, b], [b, c], [c, a]].map(|[u, v]| orientation(middle, u, v, target) * facing);
        if sides.contains(&Sign::Negative) {
            continue;
        }
        if sides.contains(&Sign::Zero) {
            return None;
        }
        count += 1;
    }
    Some(count)
}

/// The mean of points, rounded, without overflow.
fn mean(points: impl Iterator<Item = Vec3>) -> Vec3 {
    (1..).zip(points).fold(Vec3::ZERO, |mean, (count, p)| {
        let weight = 1.0 / f64::from(count);
        mean * (1.0 - weight) + p * weight
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_faces(points: &[[f64; 3]], faces: &[&[u32]], facing: Sign) -> Outcome {
        let surface = Surface {
            points: points.iter().map(|p| Vec3::from_array(*p)).collect(),
            faces: faces.iter().map(|f| f.to_vec()).collect(),
        };
        let frame = Frame::of_box(surface.bounds());
        check(&surface, &Triangles::new(&surface), &frame, facing)
    }

    const CUBE: [[f64; 3]; 8] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [0.0, 1.0, 1.0],
        [1.0, 1.0, 1.0],
    ];
    const QUADS: [&[u32]; 6] = [
        &[0, 4, 6, 2],
        &[1, 3, 7, 5],
        &[0, 1, 5, 4],
        &[2, 6, 7, 3],
        &[0, 2, 3, 1],
        &[4, 5, 7, 6],
    ];

    #[test]
    fn a_cube_is_convex_either_way_out() {
        let outcome = check_faces(&CUBE, &QUADS, Sign::Positive);
        assert_eq!(outcome.convexity, Convexity::Convex);
        let reversed = QUADS.map(|q| q.iter().rev().copied().collect::<Vec<u32>>());
        let reversed: Vec<&[u32]> = reversed.iter().map(Vec::as_slice).collect();
        let outcome = check_faces(&CUBE, &reversed, Sign::Negative);
        assert_eq!(outcome.convexity, Convexity::Convex);
    }

    #[test]
    fn an_ulp_makes_an_edge_reflex() {
        let mut points = CUBE;
        points[7][0] = 1f64.next_up();
        let outcome = check_faces(&points, &QUADS, Sign::Positive);
        // The quad on the right is now bent along one of its diagonals, inward or outward.
        let mut dented = CUBE;
        dented[7][0] = 1f64.next_down();
        let other = check_faces(&dented, &QUADS, Sign::Positive);
        let reflex: Vec<[u32; 2]> = [outcome.reflex, other.reflex].concat();
        assert_eq!(reflex, [[1, 7]]);
    }

    #[test]
    fn depth_is_relative_to_the_size() {
        // A pyramid pushed into the top of a cube.
        let mut points = CUBE.to_vec();
        points.push([0.5, 0.5, 0.75]);
        let mut faces = QUADS[..5].to_vec();
        let sides: [&[u32]; 4] = [&[4, 5, 8], &[5, 7, 8], &[7, 6, 8], &[6, 4, 8]];
        faces.extend(sides);
        for scale in [1e-200, 1.0, 1e200] {
            let scaled: Vec<[f64; 3]> = points.iter().map(|p| p.map(|x| x * scale)).collect();
            let outcome = check_faces(&scaled, &faces, Sign::Positive);
            assert_eq!(outcome.reflex, [[4, 8], [5, 8], [6, 8], [7, 8]]);
            let Convexity::NotConvex { depth: Some(depth) } = outcome.convexity else {
                panic!("{:?}", outcome.convexity)
            };
            assert!((depth - 0.2f64.sqrt()).abs() < 1e-9, "{depth}");
        }
    }

    #[test]
    fn winding_twice_is_not_convex() {
        // Two pyramids over a pentagram: every edge is convex, and the ring is walked around twice.
        let mut points: Vec<[f64; 3]> = (0..5)
            .map(|k| (f64::from(k) * std::f64::consts::TAU / 5.0).sin_cos())
            .map(|(x, y)| [x, y, 0.0])
            .collect();
        points.extend([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]);
        let faces: Vec<Vec<u32>> = (0..5)
            .flat_map(|k| {
                let (a, b) = (k, (k + 2) % 5);
                [vec![b, a, 5], vec![a, b, 6]]
            })
            .collect();
        let faces: Vec<&[u32]> = faces.iter().map(Vec::as_slice).collect();
        let outcome = check_faces(&points, &faces, Sign::Positive);
        assert!(outcome.reflex.is_empty());
        assert_eq!(outcome.convexity, Convexity::NotConvex { depth: None });
    }

    #[test]
    fn zero_area_leaves_it_open() {
        let mut points = CUBE.to_vec();
        points.push([0.5, 0.0, 0.0]);
        let mut faces = QUADS.to_vec();
        faces[2] = &[0, 8, 1, 5, 4];
        faces.push(&[0, 1, 8]);
        let outcome = check_faces(&points, &faces, Sign::Positive);
        assert_eq!(outcome.convexity, Convexity::Undecided);
    }
}
