//! The oracle: polynomials with integer coefficients, Sturm's theorem and Tarski's queries.
//!
//! Whether two moving features ever touch is a question about signs of polynomials of time. Here no interval is narrowed
//! until something shows: roots are counted by Sturm's theorem, and the sign of a polynomial at a root of another is read
//! off a remainder sequence (Tarski). The geometry is told in scalar products and sums of squares, whether or not the
//! features stay in a plane, by looking at every root of every polynomial involved and at a point between neighbours.

use impinge::Vec3;
use num_bigint::BigInt;
use num_rational::BigRational;

pub(crate) type Q = BigRational;

pub(crate) fn rational(x: f64) -> Q {
    Q::from_float(x).unwrap()
}

pub(crate) fn integer(n: i64) -> Q {
    Q::from_integer(BigInt::from(n))
}

fn whole(n: i64) -> BigInt {
    BigInt::from(n)
}

/// Coefficients, constant term first, without leading zeros.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Poly(pub(crate) Vec<BigInt>);

impl Poly {
    pub(crate) fn new(mut c: Vec<BigInt>) -> Poly {
        while c.last().is_some_and(|x| *x == whole(0)) {
            c.pop();
        }
        Poly(c)
    }

    /// The polynomial `t - x`, times the denominator of `x`.
    fn minus(x: &Q) -> Poly {
        Poly::new(vec![-x.numer(), x.denom().clone()])
    }

    fn add(&self, other: &Poly) -> Poly {
        let at = |p: &Poly, i: usize| p.0.get(i).cloned().unwrap_or(whole(0));
        let length = self.0.len().max(other.0.len());
        Poly::new((0..length).map(|i| at(self, i) + at(other, i)).collect())
    }

    fn negated(&self) -> Poly {
        Poly(self.0.iter().map(|x| -x).collect())
    }

    pub(crate) fn sub(&self, other: &Poly) -> Poly {
        self.add(&other.negated())
    }

    fn mul(&self, other: &Poly) -> Poly {
        let mut c = vec![whole(0); self.0.len() + other.0.len()];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                c[i + j] += a * b;
            }
        }
        Poly::new(c)
    }

    fn derivative(&self) -> Poly {
        let terms = self.0.iter().enumerate().skip(1);
        Poly::new(terms.map(|(i, c)| c * whole(i as i64)).collect())
    }

    /// A positive multiple of the remainder.
    fn remainder(&self, by: &Poly) -> Poly {
        let mut rest = self.clone();
        let lead = by.0.last().unwrap();
        let size = if *lead < whole(0) {
            -lead
        } else {
            lead.clone()
        };
        while rest.0.len() >= by.0.len() {
            let shift = rest.0.len() - by.0.len();
            let last = rest.0.last().unwrap();
            let factor = if *lead < whole(0) {
                -last
            } else {
                last.clone()
            };
            let mut lifted = vec![whole(0); shift];
            lifted.extend(by.0.iter().map(|c| c * &factor));
            let scaled = Poly(rest.0.iter().map(|c| c * &size).collect());
            let length = rest.0.len();
            rest = scaled.sub(&Poly(lifted));
            assert!(rest.0.len() < length);
        }
        rest.without_content()
    }

    pub(crate) fn without_content(self) -> Poly {
        let content = self.0.iter().fold(whole(0), |g, c| gcd(g, c.clone()));
        if content == whole(0) {
            return self;
        }
        Poly(self.0.iter().map(|c| c / &content).collect())
    }

    fn sign_at(&self, x: &Q) -> i32 {
        let (n, d) = (x.numer(), x.denom());
        let mut power = whole(1);
        let mut sum = whole(0);
        for c in self.0.iter().rev() {
            sum = sum * n + c * &power;
            power *= d;
        }
        sum.cmp(&whole(0)) as i32
    }
}

fn gcd(a: BigInt, b: BigInt) -> BigInt {
    let zero = whole(0);
    if a == zero || b == zero {
        return if a < b { b - a } else { a - b };
    }
    // In lowest terms the denominator has lost the common part, and is positive.
    let lowest = Q::new(a, b.clone());
    if b < zero {
        -b / lowest.denom()
    } else {
        b / lowest.denom()
    }
}

/// The signed remainder sequence of `p` and `p' q`.
fn remainders(p: &Poly, q: &Poly) -> Vec<Poly> {
    // The second may be reduced: it keeps its sign at every root of p.
    let mut sequence = vec![p.clone(), p.derivative().mul(q).remainder(p)];
    while !sequence[sequence.len() - 1].0.is_empty() {
        let [a, b] = [&sequence[sequence.len() - 2], &sequence[sequence.len() - 1]];
        let next = a.remainder(b).negated();
        sequence.push(next);
    }
    sequence
}

fn changes(sequence: &[Poly], x: &Q) -> i32 {
    let signs = sequence.iter().map(|r| r.sign_at(x)).filter(|s| *s != 0);
    let signs: Vec<i32> = signs.collect();
    signs.windows(2).filter(|w| w[0] != w[1]).count() as i32
}

/// The sum of the signs of `q` over the roots of `p` in `(low, high)`, whose ends are no roots of `p`.
fn tarski(p: &Poly, q: &Poly, low: &Q, high: &Q) -> i32 {
    let sequence = remainders(p, q);
    changes(&sequence, low) - changes(&sequence, high)
}

/// A time: rational, or the one root of a polynomial between two rational numbers that are no roots.
#[derive(Clone, Debug)]
pub(crate) enum Time {
    At(Q),
    Root(Poly, Q, Q),
}

impl Time {
    pub(crate) fn sign_of(&self, q: &Poly) -> i32 {
        match self {
            Time::At(x) => q.sign_at(x),
            Time::Root(p, low, high) => tarski(p, q, low, high),
        }
    }

    /// Below and above.
    pub(crate) fn bounds(&self) -> (Q, Q) {
        match self {
            Time::At(x) => (x.clone(), x.clone()),
            Time::Root(_, low, high) => (low.clone(), high.clone()),
        }
    }

    /// With bounds at most this far apart.
    pub(crate) fn narrowed(self, width: &Q) -> Time {
        let Time::Root(p, ..) = &self else {
            return self;
        };
        let sturm = remainders(p, &Poly(vec![whole(1)]));
        let mut time = self;
        while let Time::Root(p, low, high) = &time {
            if high - low <= *width {
                break;
            }
            let middle = (low + high) / integer(2);
            time = if p.sign_at(&middle) == 0 {
                Time::At(middle)
            } else if changes(&sturm, low) - changes(&sturm, &middle) == 1 {
                Time::Root(p.clone(), low.clone(), middle)
            } else {
                Time::Root(p.clone(), middle, high.clone())
            };
        }
        time
    }
}

/// The roots in `[0, 1]`, in order; none for the zero polynomial.
pub(crate) fn roots(p: &Poly) -> Vec<Time> {
    let mut found = Vec::new();
    if p.0.is_empty() {
        return found;
    }
    // Ends a little outside that are no roots.
    let mut gap = Q::new(BigInt::from(1), BigInt::from(16));
    while p.sign_at(&-&gap) == 0 || p.sign_at(&(integer(1) + &gap)) == 0 {
        gap /= integer(3);
    }
    let sturm = remainders(p, &Poly(vec![whole(1)]));
    isolate(&sturm, &-&gap, &(integer(1) + &gap), &mut found);
    let is_inside = |time: &Time| {
        let from = |x: i64| Poly::minus(&integer(x));
        time.sign_of(&from(0)) >= 0 && time.sign_of(&from(1)) <= 0
    };
    found.retain(is_inside);
    found
}

fn isolate(sturm: &[Poly], low: &Q, high: &Q, found: &mut Vec<Time>) {
    let p = &sturm[0];
    match changes(sturm, low) - changes(sturm, high) {
        0 => {}
        1 => found.push(Time::Root(p.clone(), low.clone(), high.clone())),
        _ => {
            let mut middle = (low + high) / integer(2);
            while p.sign_at(&middle) == 0 {
                middle = (middle + high) / integer(2);
            }
            isolate(sturm, low, &middle, found);
            isolate(sturm, &middle, high, found);
        }
    }
}

/// A point or vector whose coordinates are polynomials of time.
type Moving = [Poly; 3];

/// The paths in a unit in which all coordinates are integers.
fn paths(start: &[Vec3; 4], end: &[Vec3; 4]) -> [Moving; 4] {
    let all: Vec<Q> = start
        .iter()
        .chain(end)
        .flat_map(|p| p.to_array())
        .map(rational)
        .collect();
    // Denominators are powers of two: the largest is a multiple of all.
    let unit = all.iter().map(|x| x.denom()).max().unwrap();
    let at = |x: f64| (rational(x) * Q::from_integer(unit.clone())).to_integer();
    std::array::from_fn(|i| {
        [0, 1, 2].map(|k| {
            let (from, to) = (at(start[i][k]), at(end[i][k]));
            Poly::new(vec![from.clone(), to - from])
        })
    })
}

fn difference(a: &Moving, b: &Moving) -> Moving {
    [0, 1, 2].map(|k| a[k].sub(&b[k]))
}

fn dot(a: &Moving, b: &Moving) -> Poly {
    (0..3).fold(Poly(Vec::new()), |sum, k| sum.add(&a[k].mul(&b[k])))
}

fn cross(a: &Moving, b: &Moving) -> Moving {
    [0, 1, 2].map(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        a[i].mul(&b[j]).sub(&a[j].mul(&b[i]))
    })
}

/// A conjunction: each polynomial must have one of these signs.
type Conditions = Vec<(Poly, &'static [i32])>;

/// The point `x` is on the segment `ab`: on its line, and between two planes; a segment without length is a point.
fn on_segment(x: &Moving, a: &Moving, b: &Moving) -> Conditions {
    let (s, v) = (difference(b, a), difference(x, a));
    let normal = cross(&s, &v);
    let along = dot(&s, &v);
    let beyond = along.sub(&dot(&s, &s));
    let (to_a, to_b) = (difference(x, a), difference(x, b));
    // Between the planes, and in the ball over the segment, which for no length is the point itself.
    vec![
        (dot(&normal, &normal), &[0]),
        (along, &[0, 1]),
        (beyond, &[0, -1]),
        (dot(&to_a, &to_b), &[0, -1]),
    ]
}

/// The contact of a vertex with a face: on a side, or inside a face with area.
fn vertex_face(p: &[Moving; 4]) -> Vec<Conditions> {
    let [x, a, b, c] = p;
    let mut ways = vec![
        on_segment(x, a, b),
        on_segment(x, b, c),
        on_segment(x, c, a),
    ];
    let normal = cross(&difference(b, a), &difference(c, a));
    let mut inside: Conditions = vec![
        (dot(&normal, &normal), &[1]),
        (dot(&normal, &difference(x, a)), &[0]),
    ];
    for [u, v] in [[a, b], [b, c], [c, a]] {
        let turn = cross(&difference(v, u), &difference(x, u));
        inside.push((dot(&turn, &normal), &[1]));
    }
    ways.push(inside);
    ways
}

/// The contact of two edges: an end on the other, or a proper crossing.
fn edge_edge(p: &[Moving; 4]) -> Vec<Conditions> {
    let [a, b, c, d] = p;
    let mut ways = vec![
        on_segment(a, c, d),
        on_segment(b, c, d),
        on_segment(c, a, b),
        on_segment(d, a, b),
    ];
    let (s, t) = (difference(b, a), difference(d, c));
    let normal = cross(&s, &t);
    let between = |u: &Moving, v: &Moving, direction: &Moving| {
        // u and v are on opposite sides of the plane through the line and the normal.
        let sides = [u, v].map(|w| dot(&cross(direction, w), &normal));
        sides[0].mul(&sides[1])
    };
    ways.push(vec![
        (dot(&normal, &normal), &[1]),
        (dot(&normal, &difference(c, a)), &[0]),
        (between(&difference(c, a), &difference(d, a), &s), &[-1]),
        (between(&difference(a, c), &difference(b, c), &t), &[-1]),
    ]);
    ways
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    VertexFace,
    EdgeEdge,
}

/// The first contact, with bounds at most `width` apart; `None` when there is none.
pub(crate) fn first_contact(
    kind: Kind,
    start: &[Vec3; 4],
    end: &[Vec3; 4],
    width: &Q,
) -> Option<Time> {
    let points = paths(start, end);
    let ways = match kind {
        Kind::VertexFace => vertex_face(&points),
        Kind::EdgeEdge => edge_edge(&points),
    };
    let holds = |time: &Time, way: &Conditions| {
        way.iter()
            .all(|(p, signs)| signs.contains(&time.sign_of(p)))
    };
    let mut first: Option<Time> = None;
    for way in &ways {
        // The first time of a closed set of this kind is 0 or a root of one of its polynomials.
        let mut times = vec![Time::At(integer(0))];
        let pins: Vec<&Poly> = way
            .iter()
            .filter(|(p, signs)| *signs == [0] && !p.0.is_empty())
            .map(|(p, _)| p)
            .collect();
        match pins.first() {
            Some(pin) => times.extend(roots(pin)),
            None => times.extend(way.iter().flat_map(|(p, _)| roots(p))),
        }
        for time in times {
            if holds(&time, way) {
                let time = time.narrowed(width);
                if first.as_ref().is_none_or(|first| time.is_before(first)) {
                    first = Some(time);
                }
            }
        }
    }
    first
}

impl Time {
    /// Whether it is earlier.
    fn is_before(&self, other: &Time) -> bool {
        match (self, other) {
            (_, Time::At(x)) => self.sign_of(&Poly::minus(x)) < 0,
            (Time::At(x), Time::Root(..)) => other.sign_of(&Poly::minus(x)) > 0,
            (Time::Root(..), Time::Root(q, low, high)) => {
                let from = |x: &Q| self.sign_of(&Poly::minus(x));
                let are_equal = self.sign_of(q) == 0 && from(low) > 0 && from(high) < 0;
                !are_equal && self.is_before_other_root(other)
            }
        }
    }

    /// Whether it is earlier, of two different roots: their bounds are narrowed until they lie beside each other.
    fn is_before_other_root(&self, other: &Time) -> bool {
        let mut both = [self.clone(), other.clone()];
        let mut width = integer(1);
        loop {
            let [own, others] = [both[0].bounds(), both[1].bounds()];
            if own.1 <= others.0 || others.1 <= own.0 {
                return own.1 <= others.0;
            }
            width /= integer(1 << 20);
            both = both.map(|time| time.narrowed(&width));
        }
    }

    /// Whether the time is in a closed interval.
    pub(crate) fn is_within(&self, low: f64, high: f64) -> bool {
        let from = |x: f64| Poly::minus(&rational(x));
        self.sign_of(&from(low)) >= 0 && self.sign_of(&from(high)) <= 0
    }
}
