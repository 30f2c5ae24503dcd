//! The smallest set of points that carries a mean of them.
//!
//! The descent ends with weights on pairs. Summed up by the points of one hull they give its closest point as a mean of
//! a few of its points. Several pairs may name one point, several points may lie on one line or be equal: then fewer of
//! them will do, and the fewer the better they name the vertex, edge or face that the closest point is on.

use super::foot::foot;
use crate::exact::big::BigVec3;
use crate::exact::rounding::round_quotient;
use crate::math::Vec3;
use dashu_int::IBig;

/// A mean of one to four affinely independent points with positive weights.
#[derive(Debug)]
pub(super) struct Carrier {
    members: Vec<Member>,
    /// The weighted sum of the members' positions, and the sum of their weights.
    sum: BigVec3,
    total: IBig,
}

#[derive(Debug)]
struct Member {
    index: u32,
    weight: IBig,
    position: BigVec3,
}

impl Carrier {
    /// The mean with these positive weights; an index may come more than once.
    pub(super) fn new<'w>(
        weighted: impl Iterator<Item = (u32, &'w IBig)>,
        position: impl Fn(u32) -> BigVec3,
    ) -> Carrier {
        let mut members: Vec<Member> = Vec::with_capacity(4);
        for (index, weight) in weighted {
            match members.iter_mut().find(|m| m.index == index) {
                Some(member) => member.weight += weight,
                None => members.push(Member {
                    index,
                    weight: weight.clone(),
                    position: position(index),
                }),
            }
        }
        members.sort_by_key(|m| m.index);
        let sum = members.iter().fold(BigVec3::zero(), |sum, m| {
            sum.add(&m.position.scale(&m.weight))
        });
        let total = members.iter().map(|m| &m.weight).sum();
        let mut carrier = Carrier {
            members,
            sum,
            total,
        };
        if !carrier.is_independent() {
            carrier.drop_superfluous();
        }
        carrier
    }

    /// The indices of the points, ascending.
    pub(super) fn indices(&self) -> Vec<u32> {
        self.members.iter().map(|m| m.index).collect()
    }

    /// The mean, rounded, of positions in units of `2^exponent`.
    pub(super) fn point(&self, exponent: i32) -> Vec3 {
        let coordinate = |sum: &IBig| round_quotient(sum, &self.total, exponent);
        Vec3::new(
            coordinate(&self.sum.x),
            coordinate(&self.sum.y),
            coordinate(&self.sum.z),
        )
    }

    fn is_independent(&self) -> bool {
        let edge = |i: usize| self.members[i].position.sub(&self.members[0].position);
        match self.members.len() {
            1 => true,
            2 => !edge(1).is_zero(),
            3 => !edge(1).cross(&edge(2)).is_zero(),
            _ => !edge(1).cross(&edge(2)).dot(&edge(3)).is_zero(),
        }
    }

    /// Keeps the first smallest subset that has the mean strictly between its points. By Caratheodory there is one, and
    /// it is affinely independent, or fewer would do.
    fn drop_superfluous(&mut self) {
        // Seen from the mean, and scaled by the total to stay integers: there the mean is the origin.
        let seen: Vec<BigVec3> = self
            .members
            .iter()
            .map(|m| m.position.scale(&self.total).sub(&self.sum))
            .collect();
        let mut subsets: Vec<u32> = (1..1 << seen.len()).collect();
        subsets.sort_by_key(|subset| subset.count_ones());
        let carries = |subset: &u32| {
            let chosen: Vec<&BigVec3> = (0..seen.len())
                .filter(|i| subset >> i & 1 == 1)
                .map(|i| &seen[i])
                .collect();
            foot(&chosen).is_some_and(|foot| foot.direction.is_zero())
        };
        let smallest = subsets
            .into_iter()
            .find(carries)
            .expect("the members have the mean in their hull");
        let mut place = 0;
        self.members.retain(|_| {
            place += 1;
            smallest >> (place - 1) & 1 == 1
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carrier(points: &[(i32, i32, i32)], weights: &[i32]) -> Carrier {
        let weights: Vec<IBig> = weights.iter().map(|w| IBig::from(*w)).collect();
        Carrier::new((0..).zip(&weights), |i| {
            let (x, y, z) = points[i as usize];
            BigVec3 {
                x: x.into(),
                y: y.into(),
                z: z.into(),
            }
        })
    }

    #[test]
    fn independent_points_stay() {
        let c = carrier(&[(0, 0, 0), (3, 0, 0), (0, 3, 0)], &[1, 1, 1]);
        assert_eq!(c.indices(), [0, 1, 2]);
        assert_eq!(c.point(0), Vec3::new(1.0, 1.0, 0.0));
    }

    #[test]
    fn equal_and_collinear_points_go() {
        assert_eq!(carrier(&[(5, 1, 2), (5, 1, 2)], &[3, 4]).indices(), [0]);
        let on_line = carrier(&[(0, 0, 0), (1, 0, 0), (2, 0, 0)], &[1, 5, 1]);
        assert_eq!(on_line.indices(), [1]);
        let between = carrier(&[(0, 0, 0), (1, 0, 0), (3, 0, 0)], &[1, 1, 1]);
        assert_eq!(between.indices().len(), 2);
        assert_eq!(between.point(-1), Vec3::new(2.0 / 3.0, 0.0, 0.0));
        let square = carrier(&[(0, 0, 0), (2, 0, 0), (0, 2, 0), (2, 2, 0)], &[1, 2, 2, 1]);
        assert_eq!(square.indices(), [1, 2]);
    }
}
