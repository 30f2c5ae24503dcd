//! All of `ccd-queries`: published queries with exact answers.
//!
//! The folder is other people's work and no part of this repository: it is taken from `IMPINGE_DATA`, and without it this
//! test says that it did not run. A query is eight lines, four points at the start and the same four at the end; a line
//! holds numerator and denominator of three coordinates, and the answer.

use impinge::query::{PathImpact, edge_edge_impact, vertex_face_impact};
use impinge::{Error, Vec3, exact};
use std::path::{Path, PathBuf};

type Ask = fn(&[Vec3; 4], &[Vec3; 4], f64) -> Result<Option<PathImpact>, Error>;

/// A query and whether there is a contact.
struct Published {
    points: [[Vec3; 4]; 2],
    hits: bool,
}

#[test]
fn published_queries_are_answered_exactly() {
    let Some(folder) = std::env::var_os("IMPINGE_DATA") else {
        eprintln!("did not run: IMPINGE_DATA is not set");
        return;
    };
    let folder = PathBuf::from(folder).join("ccd-queries");
    let (mut count, mut missed, mut extra) = (0, 0, 0);
    let before = exact::counts();
    for (kind, ask) in [
        ("vertex-face", vertex_face_impact as Ask),
        ("edge-edge", edge_edge_impact),
    ] {
        for query in read_all(&folder, kind) {
            let answer = ask(&query.points[0], &query.points[1], 1e-9).unwrap();
            count += 1;
            missed += usize::from(query.hits && answer.is_none());
            extra += usize::from(!query.hits && answer.is_some());
        }
    }
    let work = exact::counts() - before;
    eprintln!("{count} queries: {missed} missed, {extra} extra; {work:?}");
    assert_eq!(count, 2679);
    assert_eq!((missed, extra), (0, 0));
}

fn read_all(folder: &Path, kind: &str) -> Vec<Published> {
    let mut scenes: Vec<PathBuf> = list(folder);
    scenes.sort();
    let files = scenes.iter().flat_map(|scene| list(&scene.join(kind)));
    files.flat_map(|file| read(&file)).collect()
}

fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn read(file: &Path) -> Vec<Published> {
    let text = std::fs::read_to_string(file).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split(',').collect()).collect();
    lines
        .chunks(8)
        .map(|lines| {
            let point = |i: usize| {
                Vec3::from_array([0, 2, 4].map(|k| coordinate(lines[i][k], lines[i][k + 1])))
            };
            Published {
                points: [0, 4].map(|first| std::array::from_fn(|i| point(first + i))),
                hits: lines[0][6] == "1",
            }
        })
        .collect()
}

/// A quotient that is a float.
fn coordinate(numerator: &str, denominator: &str) -> f64 {
    use num_bigint::BigInt;
    use num_rational::BigRational;
    let [n, d] = [numerator, denominator].map(|text| text.parse::<BigInt>().unwrap());
    let quotient = BigRational::new(n.clone(), d.clone());
    let [n, d] = [n, d].map(|x| x.to_string().parse::<f64>().unwrap());
    let float = n / d;
    assert_eq!(BigRational::from_float(float), Some(quotient));
    float
}
