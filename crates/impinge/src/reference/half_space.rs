//! Half-spaces: the point farthest against the normal decides.
//!
//! Against a set spanned by points the answer is exact: its lowest point is found and measured in exact arithmetic.
//! Against a curved piece the lowest point has a closed form, evaluated with 106 bits. Two half-spaces always meet
//! unless their normals are exactly opposite.

use super::bounded::less_reach;
use super::convex::Convex;
use super::reach::Reach;
use super::set::{Bounded, GrownHalfSpace};
use super::wide::Frame;
use crate::contact::{Feature, Penetration, Separation, Witness};
use crate::exact::{PlacedPlane, Rounded, Sign, SignedDistance, compare_along};
use crate::math::double_double::{Wide, WideVec3};
use crate::math::{Interval, Vec3};

/// Whether the distance of a bounded set and a half-space is at most `gap`.
pub(super) fn within(a: &Bounded, h: &GrownHalfSpace, gap: &Reach) -> bool {
    let reach = a.radius.clone().plus_all(&h.radius).plus_all(gap);
    Lowest::of(a, &h.plane).height.compare_to(&reach) != Sign::Positive
}

/// Whether the distance of two half-spaces is at most `gap`.
pub(super) fn both_within(a: &GrownHalfSpace, b: &GrownHalfSpace, gap: &Reach) -> bool {
    let reach = a.radius.clone().plus_all(&b.radius).plus_all(gap);
    let opposite = a.plane.opposite_distance(&b.plane);
    opposite.is_none_or(|gap| gap.compare_to_sum(reach.terms()) != Sign::Positive)
}

/// How far a bounded set and a half-space are apart.
pub(super) fn distance(a: &Bounded, h: &GrownHalfSpace) -> Separation {
    let lowest = Lowest::of(a, &h.plane);
    let height = &lowest.height;
    let up = unit(h.plane.normal);
    let reach = a.radius.clone().plus_all(&h.radius);
    let relation = height.compare_to(&reach);
    if relation == Sign::Positive {
        return Separation {
            distance: height.distance_less(&reach),
            bounds: less_reach(height.length(), &reach),
            witness: Witness {
                a: lowest.point - up * a.radius.value(),
                b: lowest.point - up * (height.rounded() - h.radius.value()),
            },
            features: [lowest.feature, Feature::Surface],
        };
    }
    let sign = height.compare_to(&Reach::default());
    // The lowest point, or if that is above the plane, a point between it and its foot, shared out by the radii.
    let common = match sign {
        Sign::Positive => lowest.point - up * (height.rounded() * a.radius.value() / reach.value()),
        Sign::Zero | Sign::Negative => lowest.point,
    };
    let grown = |radius: &Reach, own: Feature| match relation {
        _ if radius.is_zero() => own,
        Sign::Zero => Feature::Surface,
        Sign::Negative | Sign::Positive => Feature::Inside,
    };
    let on_plane = match sign {
        Sign::Negative => Feature::Inside,
        Sign::Zero | Sign::Positive => Feature::Surface,
    };
    let features = [grown(&a.radius, lowest.feature), grown(&h.radius, on_plane)];
    meeting_at(common, height.overlap_bounds(&reach), features)
}

/// How far two half-spaces are apart.
pub(super) fn both_distance(a: &GrownHalfSpace, b: &GrownHalfSpace) -> Separation {
    let reach = a.radius.clone().plus_all(&b.radius);
    if let Some(gap) = a.plane.opposite_distance(&b.plane) {
        let gap = Height::Exact(gap);
        let up = unit(a.plane.normal);
        let from = foot_of(&a.plane) + up * a.radius.value();
        return match gap.compare_to(&reach) {
            Sign::Positive => Separation {
                distance: gap.distance_less(&reach),
                bounds: less_reach(gap.length(), &reach),
                witness: Witness {
                    a: from,
                    b: from + up * gap.distance_less(&reach),
                },
                features: [Feature::Surface; 2],
            },
            Sign::Zero => meeting_at(from, Interval::exact(0.0), [Feature::Surface; 2]),
            Sign::Negative => {
                let features = [Feature::Surface, Feature::Inside];
                meeting_at(from, Interval::exact(0.0), features)
            }
        };
    }
    let common = common_point(&a.plane, &b.plane);
    let side = |h: &GrownHalfSpace, sign: Sign| match sign {
        Sign::Zero if h.radius.is_zero() => Feature::Surface,
        Sign::Zero | Sign::Negative | Sign::Positive => Feature::Inside,
    };
    let features = [side(a, common.side_of_a), side(b, common.side_of_b)];
    meeting_at(common.point, Interval::exact(0.0), features)
}

/// How deep two half-spaces overlap, if they are exactly opposite and not apart. No other two can be parted.
pub(super) fn both_depth(a: &GrownHalfSpace, b: &GrownHalfSpace) -> Option<Penetration> {
    let reach = a.radius.clone().plus_all(&b.radius);
    let gap = a.plane.opposite_distance(&b.plane)?;
    let Rounded { down, up, .. } = gap.length();
    let sum = reach.bounds();
    let bounds = match gap.compare_to_sum(&[]) {
        Sign::Negative => Interval {
            lower: Wide::sum(down, sum.lower).below(),
            upper: Wide::sum(up, sum.upper).above(),
        },
        Sign::Zero | Sign::Positive => Interval {
            lower: Wide::sum(sum.lower, -up).below().max(0.0),
            upper: Wide::sum(sum.upper, -down).above().max(0.0),
        },
    };
    let out = unit(a.plane.normal);
    // The direction is of unit length up to four roundings.
    let upper = saturating(bounds.upper * (1.0 + 4.0 * f64::EPSILON));
    let depth = bounds.lower * 0.5 + upper * 0.5;
    let on_a = foot_of(&a.plane) + out * a.radius.value();
    Some(Penetration {
        depth,
        bounds: Interval { upper, ..bounds },
        direction: out,
        witness: Witness {
            a: on_a,
            b: on_a - out * depth,
        },
        features: [Feature::Surface; 2],
    })
}

fn meeting_at(point: Vec3, bounds: Interval, features: [Feature; 2]) -> Separation {
    Separation {
        bounds,
        ..Separation::meeting_at(point, features)
    }
}

/// The point of a bounded set that is farthest against the normal of a plane.
#[derive(Debug)]
struct Lowest {
    point: Vec3,
    height: Height,
    /// What the point is on; the surface, if the set is grown.
    feature: Feature,
}

impl Lowest {
    fn of(set: &Bounded, plane: &PlacedPlane) -> Lowest {
        let mut lowest: Option<(Vec3, Feature)> = None;
        for piece in set.pieces.iter() {
            let points = match &piece.convex {
                Convex::Curved(_) | Convex::Custom(_) => {
                    return Lowest::by_support(&piece.convex, plane);
                }
                Convex::Triangle(corners) => &corners[..],
                Convex::Hull(points) => points,
            };
            for (i, p) in (0..).zip(points) {
                let is_lower = |(best, _): (Vec3, Feature)| {
                    compare_along(plane.normal, *p, best) == Sign::Negative
                };
                if lowest.is_none_or(is_lower) {
                    lowest = Some((*p, set.names.surface_part(piece.id, &[i])));
                }
            }
        }
        let (point, part) = lowest.expect("a set has at least one point");
        Lowest {
            point,
            height: Height::Exact(plane.signed_distance(point)),
            feature: if set.radius.is_zero() {
                part
            } else {
                Feature::Surface
            },
        }
    }

    fn by_support(body: &Convex, plane: &PlacedPlane) -> Lowest {
        let through = Convex::Hull(vec![plane.through]);
        let (frame, body, origin) = Frame::around(body, &through);
        let (normal, shift) = scaled_normal(plane);
        let lowest = body.support(-normal).point;
        let from_origin = lowest - origin.support(normal).point;
        let along = normal.dot(from_origin) / normal.length();
        // The largest offsets are divided at a smaller size: double-double products would overflow.
        let down = (exponent(plane.offset) + shift - LARGEST_EXPONENT).max(0);
        let offset = Wide::from(times_power(plane.offset, shift - down)) / normal.length();
        Lowest {
            point: frame.point_in_world(lowest),
            height: Height::Certified(frame.difference_in_world(along, offset, down)),
            feature: Feature::Surface,
        }
    }
}

/// The normal with its largest component between 1 and 2, and the power of two for the offset that goes with it.
fn scaled_normal(plane: &PlacedPlane) -> (WideVec3, i32) {
    let exponent = exponent(plane.normal.abs().max_element());
    let normal = plane.normal * f64::powi(2.0, -exponent);
    (WideVec3::from(normal), plane.offset_shift - exponent)
}

/// Offsets up to this power of two are divided as they are.
const LARGEST_EXPONENT: i32 = 900;

/// The power of two below a normal number, in absolute value.
fn exponent(value: f64) -> i32 {
    ((value.abs().to_bits() >> 52) as i32) - 1023
}

/// A number times a power of two that may be beyond the doubles itself.
fn times_power(value: f64, power: i32) -> f64 {
    let half = power / 2;
    value * f64::powi(2.0, half) * f64::powi(2.0, power - half)
}

fn saturating(value: f64) -> f64 {
    value.clamp(-f64::MAX, f64::MAX)
}

/// A height above a plane, negative below it.
#[derive(Debug)]
enum Height {
    Exact(SignedDistance),
    /// Known to lie in the interval.
    Certified(Interval),
}

impl Height {
    /// The sign of the height minus the sum; zero also when a certified interval cannot tell.
    fn compare_to(&self, reach: &Reach) -> Sign {
        match self {
            Height::Exact(height) => height.compare_to_sum(reach.terms()),
            Height::Certified(height) => {
                let sum = reach.bounds();
                if height.lower > sum.upper {
                    Sign::Positive
                } else if height.upper < sum.lower {
                    Sign::Negative
                } else {
                    Sign::Zero
                }
            }
        }
    }

    /// Bounds of a height that is not negative.
    fn length(&self) -> Interval {
        match self {
            Height::Exact(height) => {
                let length = height.length();
                Interval {
                    lower: length.down,
                    upper: length.up,
                }
            }
            Height::Certified(height) => *height,
        }
    }

    /// A height that is not negative, rounded; the largest double when it is beyond.
    fn rounded(&self) -> f64 {
        match self {
            Height::Exact(height) => height.length().nearest,
            Height::Certified(height) => f64::midpoint(height.lower, height.upper).min(f64::MAX),
        }
    }

    /// The height minus a smaller sum: positive, and within its bounds.
    fn distance_less(&self, reach: &Reach) -> f64 {
        let bounds = less_reach(self.length(), reach);
        let distance = Wide::sum(self.rounded(), -reach.value()).value();
        let distance = distance.clamp(bounds.lower, bounds.upper);
        if distance > 0.0 {
            distance
        } else {
            bounds.upper.min(f64::MAX)
        }
    }

    /// The bounds of the distance when the height was found not to exceed the sum.
    fn overlap_bounds(&self, reach: &Reach) -> Interval {
        match self {
            Height::Exact(_) => Interval::exact(0.0),
            Height::Certified(height) => Interval {
                lower: 0.0,
                upper: less_reach(*height, reach).upper,
            },
        }
    }
}

fn unit(v: Vec3) -> Vec3 {
    (v / v.abs().max_element()).normalize()
}

/// The point of the plane straight above or below the point it was placed through, rounded.
fn foot_of(plane: &PlacedPlane) -> Vec3 {
    let (normal, shift) = scaled_normal(plane);
    let normal = normal.value();
    let offset = saturating(times_power(plane.offset, shift));
    plane.through + normal * (offset / normal.length_squared())
}

/// A point of two half-spaces, and whether it is on their planes (zero) or below them.
struct CommonPoint {
    point: Vec3,
    side_of_a: Sign,
    side_of_b: Sign,
}

/// A point common to two half-spaces that are not opposite, rounded: the foot on one plane if the other half-space has it,
/// else a point on the line where the planes cross.
fn common_point(a: &PlacedPlane, b: &PlacedPlane) -> CommonPoint {
    let [foot_a, foot_b] = [a, b].map(foot_of);
    let (n, m) = (unit(a.normal), unit(b.normal));
    let at = |point, side_of_a, side_of_b| CommonPoint {
        point,
        side_of_a,
        side_of_b,
    };
    let a_beyond_b = m.dot(foot_a - foot_b);
    if a_beyond_b <= 0.0 {
        return at(foot_a, Sign::Zero, Sign::of(a_beyond_b));
    }
    let b_beyond_a = n.dot(foot_b - foot_a);
    if b_beyond_a <= 0.0 {
        return at(foot_b, Sign::of(b_beyond_a), Sign::Zero);
    }
    // From the foot on a along its plane, down towards b.
    let along = m - n * m.dot(n);
    let crossing = foot_a - along * (a_beyond_b / m.dot(along));
    let crossing = if crossing.is_finite() {
        crossing
    } else {
        foot_a
    };
    at(crossing, Sign::Zero, Sign::Zero)
}
