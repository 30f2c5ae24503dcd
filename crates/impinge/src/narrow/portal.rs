//! Whether the differences of two convex bodies hold the origin: a search by portals, after Snethen (XenoCollide, 2008).
//!
//! The bodies share a point when the origin is among the differences of their points. From a difference inside of all, that of the
//! centres, a ray goes to the origin. A *portal* is a triangle of three differences that the ray goes through. Beyond it lies
//! the farthest difference along its normal: either all of them end before the origin, and the normal parts the bodies; or that difference
//! makes three smaller portals, of which the ray goes through one. Once the origin is before the portal, it is in the tetrahedron of
//! the portal and the inner difference. A step needs the farthest points along one direction, and no closest points of simplices.
//!
//! **Proof.** Nothing that the search believes counts. Who asks proves that a direction parts the bodies. That they meet is proven here: each
//! corner of the tetrahedron is within `error` of a true difference, and the ball of that radius about the origin is inside of the
//! tetrahedron; then no direction has all true corners on one side, and the origin is in their hull. With `u` half an EPSILON of `f32`, `r` the
//! radius about the inner difference and `s` the size, of which all corners are within: the normal of a face is at most `4 r^2` long and off by
//! less than `20 u r^2`, its product with a corner by `32 u r^2 s`, and its length times an error, which is less than `s`, by
//! `52 u r^2 s`. [`FLAT`] is more than all of that.

use super::triple::{Triple, cross, dot, minus, negative};

/// The farthest difference against a direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Farthest {
    /// About where it is.
    pub(super) point: Triple,
    /// Whether it proves that the direction parts the bodies.
    pub(super) is_apart: bool,
}

/// What a search came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Portal {
    /// The bodies share a point.
    Inside,
    /// This direction, of any length, parts them.
    Beyond(Triple),
    /// Nothing is known.
    Unknown,
}

/// How far differences are where they are said to be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// None is off by more.
    pub(super) error: f32,
    /// None is farther from the one inside.
    pub(super) radius: f32,
    /// None is farther from the origin.
    pub(super) size: f32,
}

/// More than what is rounded where the origin is compared with a face, for each square of the radius and unit of the size.
const FLAT: f32 = 64.0 * f32::EPSILON;

/// So many directions are tried before the search is left to others. Most take five.
const MOST: usize = 12;

/// Searches from a difference that is inside, given the farthest one against a direction of any length.
#[inline(always)]
pub(super) fn search(
    inner: Triple,
    scale: Scale,
    mut farthest_against: impl FnMut(Triple) -> Farthest,
) -> Portal {
    let first = farthest_against(inner);
    if first.is_apart {
        return Portal::Beyond(inner);
    }
    let mut corners = [first.point; 3];
    let mut found = 1;
    let mut normal = cross(first.point, inner);
    for _ in 1..MOST {
        let back = negative(normal);
        let next = farthest_against(back);
        if next.is_apart {
            return Portal::Beyond(back);
        }
        let point = next.point;
        if dot(point, normal) <= 0.0 {
            // Apart by less than can be proven.
            break;
        }
        let [a, b, c] = corners;
        if found == 1 {
            // The origin is on the side that the normal of the three points to.
            normal = cross(minus(a, inner), minus(point, inner));
            corners[1] = point;
            if dot(normal, inner) > 0.0 {
                corners = [point, a, a];
                normal = negative(normal);
            }
            found = 2;
            continue;
        }
        if found == 2 {
            // The ray goes beside one of the two new sides, or between them.
            if dot(cross(a, point), inner) < 0.0 {
                corners[1] = point;
                normal = cross(minus(a, inner), minus(point, inner));
                continue;
            }
            if dot(cross(point, b), inner) < 0.0 {
                corners[0] = point;
                normal = cross(minus(point, inner), minus(b, inner));
                continue;
            }
            corners[2] = point;
            found = 3;
        } else {
            // Three planes through the ray's begin and the new corner: the ray goes between two of them.
            let side = cross(point, inner);
            let place = if dot(side, a) < 0.0 {
                usize::from(dot(side, c) >= 0.0)
            } else {
                2 * usize::from(dot(side, b) <= 0.0)
            };
            corners[place] = point;
        }
        let [a, b, c] = corners;
        normal = cross(minus(b, a), minus(c, a));
        if dot(normal, a) >= 0.0 {
            return conclude(inner, corners, scale);
        }
    }
    Portal::Unknown
}

/// Whether a tetrahedron has the origin inside, with room about it.
#[inline(always)]
fn conclude(inner: Triple, [a, b, c]: [Triple; 3], scale: Scale) -> Portal {
    let least = FLAT * scale.radius * scale.radius * scale.size;
    let has_room = |p: Triple, q: Triple, r: Triple| {
        let normal = cross(minus(q, p), minus(r, p));
        dot(normal, p) > dot(normal, normal).sqrt() * scale.error + least
    };
    let is_inside =
        has_room(a, b, c) & has_room(inner, b, a) & has_room(inner, a, c) & has_room(inner, c, b);
    if is_inside {
        Portal::Inside
    } else {
        Portal::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_scenes::points::on_sphere;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Differences whose distances from the origin are known: a ball of points, moved.
    #[test]
    fn the_origin_is_found_in_a_ball_and_beyond_it() {
        let mut rng = ChaCha8Rng::seed_from_u64(81);
        let mut open = 0;
        for round in 0..2000 {
            let points: Vec<Triple> = on_sphere(200, rng.random())
                .iter()
                .map(|p| p.as_vec3().to_array())
                .collect();
            let away = [0.0_f32, 0.5, 0.9, 1.1, 2.0][round % 5];
            let toward = on_sphere(1, rng.random())[0].as_vec3().to_array();
            let center = toward.map(|x| x * away);
            let scale = Scale {
                error: 1e-5,
                radius: 1.0,
                size: 3.0,
            };
            let found = search(center, scale, |against| {
                let along = |p: &Triple| dot(*p, against);
                let nearest = points.iter().min_by(|p, q| along(p).total_cmp(&along(q)));
                let point = nearest.map_or(center, |p| super::super::triple::plus(*p, center));
                Farthest {
                    point,
                    is_apart: dot(point, against) > 1e-5,
                }
            });
            match found {
                Portal::Inside => assert!(away < 1.0),
                Portal::Beyond(direction) => {
                    assert!(away > 0.8);
                    let nearest = points.iter().map(|p| dot(*p, direction));
                    let nearest = nearest.fold(f32::INFINITY, f32::min);
                    assert!(nearest + dot(center, direction) > 0.0);
                }
                Portal::Unknown => open += 1,
            }
        }
        // From the origin itself there is no ray.
        assert!(open < 420, "{open}");
    }

    /// What has the origin on its surface, or is not a number, is left open.
    #[test]
    fn nothing_is_told_without_room() {
        let corners: [Triple; 4] = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
        ];
        let scale = Scale {
            error: 1e-6,
            radius: 1.0,
            size: 1.0,
        };
        for center in [[0.25; 3], [0.1, 0.2, 0.3], [f32::NAN; 3], [1e38; 3]] {
            let found = search(center, scale, |against| {
                let along = |p: &Triple| dot(*p, against);
                let nearest = corners.iter().min_by(|p, q| along(p).total_cmp(&along(q)));
                Farthest {
                    point: *nearest.unwrap_or(&center),
                    is_apart: false,
                }
            });
            assert_eq!(found, Portal::Unknown);
        }
    }
}
