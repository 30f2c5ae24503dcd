//! How long the tests of moving mesh features take: random ones that the boxes do not part, and degenerate ones.
//!
//! `cargo bench -p impinge --bench paths`. The time shown is that of all queries, the throughput that of one.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use impinge::query::{PathImpact, edge_edge_impact, vertex_face_impact};
use impinge::{Error, Vec3};
use impinge_scenes::points::in_cube;

const QUERIES: usize = 1024;
const TOLERANCE: f64 = 1e-6;

type Ask = fn(&[Vec3; 4], &[Vec3; 4], f64) -> Result<Option<PathImpact>, Error>;
type Query = [[Vec3; 4]; 2];

fn main() {
    divan::main();
}

/// Features as large as their paths are long: most are apart along an axis or never in a plane.
#[divan::bench(args = [Kind::VertexFace, Kind::EdgeEdge])]
fn random(bencher: Bencher, kind: Kind) {
    measure(bencher, kind, random_queries());
}

/// Those of the random ones that touch.
#[divan::bench(args = [Kind::VertexFace, Kind::EdgeEdge])]
fn hits(bencher: Bencher, kind: Kind) {
    let mut queries = random_queries();
    queries.retain(|[start, end]| answer(kind, start, end).is_some());
    measure(bencher, kind, queries);
}

/// All on a grid of 27 points: touching, flat, parallel; many go to exact arithmetic.
#[divan::bench(args = [Kind::VertexFace, Kind::EdgeEdge])]
fn on_a_grid(bencher: Bencher, kind: Kind) {
    let queries = random_queries();
    let snapped = queries
        .iter()
        .map(|q| q.map(|p| p.map(|x| (x * 1.5).round())));
    measure(bencher, kind, snapped.collect());
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    VertexFace,
    EdgeEdge,
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Kind::VertexFace => "vertex-face",
            Kind::EdgeEdge => "edge-edge",
        })
    }
}

impl Kind {
    fn ask(self) -> Ask {
        match self {
            Kind::VertexFace => vertex_face_impact,
            Kind::EdgeEdge => edge_edge_impact,
        }
    }
}

fn answer(kind: Kind, start: &[Vec3; 4], end: &[Vec3; 4]) -> Option<PathImpact> {
    kind.ask()(start, end, TOLERANCE).expect("finite points")
}

fn random_queries() -> Vec<Query> {
    let points = in_cube(8 * QUERIES, 7);
    let four = |p: &[Vec3]| [p[0], p[1], p[2], p[3]];
    let queries = points.chunks_exact(8);
    queries.map(|p| [four(&p[..4]), four(&p[4..])]).collect()
}

fn measure(bencher: Bencher, kind: Kind, queries: Vec<Query>) {
    bencher.counter(ItemsCount::new(queries.len())).bench(|| {
        let hits = queries
            .iter()
            .filter(|[start, end]| answer(kind, black_box(start), black_box(end)).is_some());
        hits.count()
    });
}
