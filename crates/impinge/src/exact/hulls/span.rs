//! Four differences that span space, or the proof that there are none.
//!
//! A simplex grows from one difference by the farthest others along directions that its affine hull does not see: the
//! axes for a point, two perpendiculars for a segment, the normal for a triangle, each both ways. If none of them leads
//! out of the affine hull, all differences lie in it.

use super::grid::{Corner, Grid};
use crate::exact::big::BigVec3;
use dashu_int::IBig;

/// What the differences span.
#[derive(Debug)]
pub(super) enum Span {
    /// Space; four differences that are the corners of a tetrahedron with a volume.
    Space(Box<[Corner; 4]>),
    /// A plane or less, to which this vector is perpendicular.
    Flat(BigVec3),
}

/// Finds what the differences of a pair span.
pub(super) fn span(grid: &Grid) -> Span {
    let p = grid.corner([0, 0]);
    let Some(q) = beyond(grid, &p, &axes()) else {
        return Span::Flat(unit(0));
    };
    let edge = q.point.sub(&p.point);
    let across = perpendiculars(&edge);
    let Some(r) = beyond(grid, &p, &across) else {
        let [first, _] = across;
        return Span::Flat(first);
    };
    let normal = edge.cross(&r.point.sub(&p.point));
    match beyond(grid, &p, std::slice::from_ref(&normal)) {
        Some(s) => Span::Space(Box::new([p, q, r, s])),
        None => Span::Flat(normal),
    }
}

/// A difference that is not level with `start` along one of the directions.
fn beyond(grid: &Grid, start: &Corner, directions: &[BigVec3]) -> Option<Corner> {
    let both_ways = directions.iter().flat_map(|d| [d.clone(), d.neg()]);
    both_ways
        .map(|direction| (grid.support(&direction), direction))
        .find(|(support, direction)| support.gap < direction.dot(&start.point))
        .map(|(support, _)| grid.corner(support.pair))
}

fn axes() -> [BigVec3; 3] {
    [unit(0), unit(1), unit(2)]
}

fn unit(axis: usize) -> BigVec3 {
    let [x, y, z] = [0, 1, 2].map(|i| IBig::from(i == axis));
    BigVec3 { x, y, z }
}

/// Two vectors that span the plane perpendicular to an edge, which is not zero.
fn perpendiculars(edge: &BigVec3) -> [BigVec3; 2] {
    let first = axes()
        .iter()
        .map(|axis| edge.cross(axis))
        .find(|normal| !normal.is_zero())
        .expect("an edge is parallel to one axis at most");
    let second = edge.cross(&first);
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::hulls::local::Local;
    use crate::math::Vec3;

    fn span_of(a: &[Vec3], b: &[Vec3]) -> Span {
        let local = Local::new(a, b);
        span(&Grid::new(a, b, &local))
    }

    #[test]
    fn flat_pairs_are_recognised() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE - Vec3::Z];
        for (a, b) in [
            (&square[..1], &square[..1]),
            (&square[..2], &square[..1]),
            (&square[..], &square[..2]),
            (&square[..], &square[..]),
        ] {
            let Span::Flat(normal) = span_of(a, b) else {
                panic!("all in one plane");
            };
            assert!(!normal.is_zero());
            for (p, q) in a.iter().flat_map(|p| b.iter().map(move |q| (*p, *q))) {
                let offset = BigVec3::in_units(q, 0).sub(&BigVec3::in_units(p, 0));
                let first = BigVec3::in_units(b[0], 0).sub(&BigVec3::in_units(a[0], 0));
                assert!(normal.dot(&offset.sub(&first)).is_zero());
            }
        }
    }

    #[test]
    fn crossed_flat_sets_span_space() {
        let square = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let Span::Space(corners) = span_of(&square, &[Vec3::ZERO, Vec3::new(1.0, 1.0, 1e-300)])
        else {
            panic!("the segment leaves the plane");
        };
        let [p, q, r, s] = corners.map(|c| c.point);
        let volume = q.sub(&p).cross(&r.sub(&p)).dot(&s.sub(&p));
        assert!(!volume.is_zero());
    }
}
