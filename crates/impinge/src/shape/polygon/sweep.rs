//! Triangulation by a sweep from left to right, O(n log n).
//!
//! The idea is that of Garey, Johnson, Preparata and Tarjan (Triangulating a Simple Polygon, 1978): a polygon falls into
//! monotone pieces, and a monotone piece is triangulated with a stack. Here both happen in one pass, without storing the
//! pieces. Left of the sweep line, what is not yet cut is a set of *regions*, each between a lower edge and an upper edge
//! that cross the line. A region holds one *funnel*: a chain of corners that runs along one of its two sides and is
//! nowhere convex, against a single edge on the other side. After a corner where two parts of the inside met (a merge),
//! a region holds two funnels, one on top of the other, joined at that corner; the next corner of the region is cut
//! against both.
//!
//! Corners of equal abscissa are taken from bottom to top, which is a sweep along a direction turned a hair's breadth;
//! equal points in the order of their numbers. All turns are exact.
//!
//! The sweep needs a simple polygon. On others it stops, or its triangles fail [`is_certified`], and the answer is none.

use super::status::{Place, Status};
use super::{Budget, View};
use crate::exact::Sign;

/// The triangles; none when the polygon is not simple, or the budget is used up.
pub(super) fn triangulate(view: &View<'_>, budget: &mut Budget) -> Option<Vec<[u32; 3]>> {
    let order = order_of_sweep(view);
    let mut sweep = Sweep::new(view, &order);
    for corner in order {
        sweep.pass(corner)?;
        if !budget.pay(1) {
            return None;
        }
    }
    is_certified(view, &sweep.triangles).then_some(sweep.triangles)
}

fn order_of_sweep(view: &View<'_>) -> Vec<u32> {
    let mut order: Vec<u32> = (0..view.len() as u32).collect();
    // Adding zero makes -0 and 0 one number.
    let key = |i: u32| view.flat(i).map(|x| x + 0.0);
    order.sort_unstable_by(|i, j| {
        let ([ix, iy], [jx, jy]) = (key(*i), key(*j));
        ix.total_cmp(&jx).then(iy.total_cmp(&jy)).then(i.cmp(j))
    });
    order
}

/// The side of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

/// A chain of corners from left to right: an apex, then corners on one side.
#[derive(Debug)]
struct Funnel {
    chain: Vec<u32>,
    /// The side of all corners but the apex.
    side: Side,
}

impl Funnel {
    fn at(apex: u32) -> Funnel {
        Funnel {
            chain: vec![apex],
            side: Side::Lower,
        }
    }

    /// The corner farthest right.
    fn last(&self) -> u32 {
        *self.chain.last().expect("a funnel keeps its apex")
    }
}

/// A part of the inside that the sweep line crosses.
#[derive(Debug)]
struct Region {
    /// The corner where its lower edge starts; the edge runs to the next corner.
    edge: u32,
    funnel: Funnel,
    /// After a merge, the funnel above.
    upper: Option<Funnel>,
}

struct Sweep<'a> {
    view: &'a View<'a>,
    /// The place of each corner in the order of the sweep.
    rank: Vec<u32>,
    regions: Vec<Region>,
    /// The regions under the line, from bottom to top.
    status: Status,
    triangles: Vec<[u32; 3]>,
}

impl<'a> Sweep<'a> {
    fn new(view: &'a View<'a>, order: &[u32]) -> Sweep<'a> {
        let mut rank = vec![0; view.len()];
        for (place, corner) in (0..).zip(order) {
            rank[*corner as usize] = place;
        }
        Sweep {
            view,
            rank,
            regions: Vec::new(),
            status: Status::default(),
            triangles: Vec::with_capacity(view.len()),
        }
    }

    /// Moves the line over one corner. None when the outline cannot be that of a simple polygon.
    fn pass(&mut self, i: u32) -> Option<()> {
        let (previous, next) = (self.view.previous(i), self.view.next(i));
        let is_left = |corner: u32| self.rank[corner as usize] < self.rank[i as usize];
        let place = self.place_of(i);
        match (is_left(previous), is_left(next)) {
            (false, false) => match self.view.turn([previous, i, next]) {
                Sign::Positive => self.start(i, place),
                Sign::Negative => self.split(i, place),
                Sign::Zero => None,
            },
            (true, true) => match self.view.turn([previous, i, next]) {
                Sign::Positive => self.end(i, place),
                Sign::Negative => self.merge(i, place),
                Sign::Zero => None,
            },
            (true, false) => self.follow_lower(i, place),
            (false, true) => self.follow_upper(i, place),
        }
    }

    /// The place in the status of the first lower edge that does not run below a corner. The edge that ends at the
    /// corner, if one does, is there.
    fn place_of(&self, i: u32) -> Place {
        self.status.search(|region| {
            let from = self.regions[region as usize].edge;
            self.view.turn([from, self.view.next(from), i]) == Sign::Positive
        })
    }

    /// The inside begins.
    fn start(&mut self, i: u32, place: Place) -> Option<()> {
        self.insert(place, i, Funnel::at(i));
        Some(())
    }

    /// The region below the corner is divided by it.
    fn split(&mut self, i: u32, place: Place) -> Option<()> {
        let below = self.status.before(place)? as usize;
        let funnel = std::mem::replace(&mut self.regions[below].funnel, Funnel::at(i));
        let (mut lower, mut upper) = match (self.regions[below].upper.take(), funnel.side) {
            (Some(upper), _) => (funnel, upper),
            (None, Side::Lower) => (Funnel::at(funnel.last()), funnel),
            (None, Side::Upper) => {
                let upper = Funnel::at(funnel.last());
                (funnel, upper)
            }
        };
        self.add(&mut lower, i, Side::Upper);
        self.add(&mut upper, i, Side::Lower);
        self.regions[below].funnel = lower;
        self.insert(place, i, upper);
        Some(())
    }

    /// The region ends.
    fn end(&mut self, i: u32, place: Place) -> Option<()> {
        let region = self.ending_at(i, place)?;
        self.status.remove(place);
        let funnel = std::mem::replace(&mut self.regions[region].funnel, Funnel::at(i));
        self.close(&funnel, i);
        if let Some(upper) = self.regions[region].upper.take() {
            self.close(&upper, i);
        }
        Some(())
    }

    /// The region whose lower edge ends at the corner, and the one below it, become one.
    fn merge(&mut self, i: u32, place: Place) -> Option<()> {
        let above = self.ending_at(i, place)?;
        let below = self.status.before(place)? as usize;
        self.status.remove(place);
        self.advance(above, i, Side::Lower);
        self.advance(below, i, Side::Upper);
        let upper = std::mem::replace(&mut self.regions[above].funnel, Funnel::at(i));
        self.regions[below].upper = Some(upper);
        Some(())
    }

    /// The lower edge of a region gives way to the next.
    fn follow_lower(&mut self, i: u32, place: Place) -> Option<()> {
        let region = self.ending_at(i, place)?;
        self.advance(region, i, Side::Lower);
        self.regions[region].edge = i;
        Some(())
    }

    /// The upper edge of a region gives way to the next.
    fn follow_upper(&mut self, i: u32, place: Place) -> Option<()> {
        let region = self.status.before(place)? as usize;
        self.advance(region, i, Side::Upper);
        Some(())
    }

    fn insert(&mut self, place: Place, edge: u32, funnel: Funnel) {
        let region = self.regions.len() as u32;
        self.regions.push(Region {
            edge,
            funnel,
            upper: None,
        });
        self.status.insert(place, region);
    }

    /// The region at a place, if its lower edge ends at the corner.
    fn ending_at(&self, i: u32, place: Place) -> Option<usize> {
        let region = self.status.at(place)? as usize;
        (self.view.next(self.regions[region].edge) == i).then_some(region)
    }

    /// Takes a corner on one side of a region. Of two funnels, the one on that side ends there.
    fn advance(&mut self, region: usize, i: u32, side: Side) {
        let mut funnel = std::mem::replace(&mut self.regions[region].funnel, Funnel::at(i));
        if let Some(mut upper) = self.regions[region].upper.take() {
            if side == Side::Lower {
                std::mem::swap(&mut funnel, &mut upper);
            }
            self.close(&upper, i);
        }
        self.add(&mut funnel, i, side);
        self.regions[region].funnel = funnel;
    }

    /// Takes a corner into a funnel: one on the other side sees the whole chain, one on the same side cuts off what has
    /// become convex.
    fn add(&mut self, funnel: &mut Funnel, i: u32, side: Side) {
        if funnel.side != side {
            self.close(funnel, i);
            funnel.chain = vec![funnel.last()];
            funnel.side = side;
        }
        while let [.., second, last] = funnel.chain[..] {
            let ear = oriented([second, last, i], side);
            if self.view.turn(ear) != Sign::Positive {
                break;
            }
            self.triangles.push(ear);
            funnel.chain.pop();
        }
        funnel.chain.push(i);
    }

    /// Cuts all of a funnel from a corner to the right of it.
    fn close(&mut self, funnel: &Funnel, i: u32) {
        self.triangles.extend(
            funnel
                .chain
                .windows(2)
                .map(|link| oriented([link[0], link[1], i], funnel.side)),
        );
    }
}

/// A triangle over a link of a chain, counter-clockwise for a chain on that side.
fn oriented([left, right, i]: [u32; 3], side: Side) -> [u32; 3] {
    match side {
        Side::Lower => [left, right, i],
        Side::Upper => [right, left, i],
    }
}

/// Whether the triangles are right: none turned over, some with area, and their edges those of the polygon.
fn is_certified(view: &View<'_>, triangles: &[[u32; 3]]) -> bool {
    if triangles.len() != view.len() - 2 {
        return false;
    }
    let mut has_area = false;
    for triangle in triangles {
        match view.turn(*triangle) {
            Sign::Negative => return false,
            Sign::Zero => {}
            Sign::Positive => has_area = true,
        }
    }
    has_area && are_edges_those_of(view, triangles)
}

/// Whether the directed edges of the triangles, opposite ones cancelled, are the polygon's.
fn are_edges_those_of(view: &View<'_>, triangles: &[[u32; 3]]) -> bool {
    let of_triangles = triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    let of_polygon = (0..view.len() as u32).map(|i| (view.next(i), i));
    let mut edges: Vec<(u32, u32, i32)> = of_triangles
        .chain(of_polygon)
        .map(|(from, to)| (from.min(to), from.max(to), if from < to { 1 } else { -1 }))
        .collect();
    edges.sort_unstable();
    edges
        .chunk_by(|e, f| (e.0, e.1) == (f.0, f.1))
        .all(|uses| uses.iter().map(|e| e.2).sum::<i32>() == 0)
}
