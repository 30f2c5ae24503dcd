//! `repair::inspect` against the defects that others counted in public models.
//!
//! `INDEX.md` in the folder named by `IMPINGE_DATA` lists for each file open edges, edges of more than two faces,
//! triangles of zero area, repeated triangles, parts, and self-intersecting pairs, as counted by trimesh and by CGAL's
//! exact predicates through libigl, on fans of triangles with equal vertices merged. All numbers must be ours. Where the
//! index counts something else than we do, the difference is a rule, and the rule is checked:
//!
//! - A triangle with fewer than three distinct corners is, to the index, a triangle like others, with an edge from a
//!   vertex to itself. We count it as one of zero area and leave it out of the rest. So in files that have any, only
//!   triangles and zero areas are compared.
//! - Parts of the index hang together by vertices, ours by edges; and in OFF and PLY files a vertex that no face uses is a
//!   part of the index. Both numbers are counted again here, by other means.
//! - Of self-intersections the index leaves out those of triangles of zero area, and some of those between triangles that
//!   share an edge and overlap in a plane.
//! - Convex is, to the index, a matter of tolerance, and of more than the depth of reflex edges. What is exactly convex
//!   must be so to the index; what is convex to the index must not be reflex by more than 1e-5 of the size.

use impinge::Vec3;
use impinge::io::{self, Model};
use impinge::repair::{Convexity, Defect, Facts, InspectOptions, Report, Site, inspect_with};
use impinge::shape::PolyMesh;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Files whose convexity the index does not know: trimesh cannot read them, the plain reader that was used instead does
/// not look at it.
const CONVEXITY_UNKNOWN: [&str; 1] = ["meshes/cgal-beam.off"];

/// Parts of larger files are not counted again: that is slow.
const MOST_TRIANGLES_WITH_PARTS: usize = 20_000;

/// What the index says about one file.
#[derive(Debug)]
struct Row {
    file: String,
    triangles: usize,
    state: String,
}

impl Row {
    /// A number that stands before some words; absent means none.
    fn count(&self, words: &str) -> Option<usize> {
        let parts = self.state.split(['(', ')', ';', ',']).map(str::trim);
        let number = |part: &str| part.strip_suffix(words)?.trim().parse().ok();
        parts.filter_map(number).next()
    }

    fn is_closed(&self) -> bool {
        self.state.starts_with("closed")
    }

    fn is_convex(&self) -> bool {
        self.state.starts_with("closed, convex")
    }
}

/// A folder of files that the index describes together.
#[derive(Debug, PartialEq)]
struct Group {
    folder: String,
    files: usize,
    closed: usize,
    convex: usize,
}

fn cells(line: &str) -> Option<[&str; 3]> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    match cells[..] {
        [_, file, _, _, _, triangles, state, ..] => Some([file, triangles, state]),
        _ => None,
    }
}

fn rows(index: &str) -> Vec<Row> {
    let row = |line| {
        let [file, triangles, state] = cells(line)?;
        let triangles = triangles.parse().ok()?;
        let is_readable = !file.contains("/ (")
            && triangles > 0
            && (cfg!(feature = "gltf") || !file.ends_with(".glb"));
        is_readable.then(|| Row {
            file: file.to_owned(),
            triangles,
            state: state.to_owned(),
        })
    };
    index.lines().filter_map(row).collect()
}

fn groups(index: &str) -> Vec<Group> {
    let group = |line| {
        let [file, _, state] = cells(line)?;
        let (folder, _) = file.split_once("/ (")?;
        // 25 of 41 closed, 1 convex
        let words: Vec<&str> = state.split([' ', ',']).filter(|w| !w.is_empty()).collect();
        match words[..] {
            [closed, "of", files, "closed", convex, "convex"] => Some(Group {
                folder: folder.to_owned(),
                files: files.parse().ok()?,
                closed: closed.parse().ok()?,
                convex: convex.parse().ok()?,
            }),
            _ => None,
        }
    };
    index.lines().filter_map(group).collect()
}

/// All objects of a model as one mesh of triangles, polygons cut as fans.
fn as_fans(model: &Model) -> PolyMesh {
    let mut mesh = PolyMesh::new("", model.points().collect()).unwrap();
    let mut base = 0;
    for part in model.meshes() {
        for face in part.faces() {
            for k in 2..face.len() {
                let triangle = [face[0], face[k - 1], face[k]].map(|v| v + base);
                mesh.push_face(&triangle).unwrap();
            }
        }
        base += part.vertices().len() as u32;
    }
    mesh
}

/// Sets that have something in common, joined by a search that shares nothing with the library's.
fn count_joined(sets: &[Vec<[u64; 6]>]) -> usize {
    let mut holders: HashMap<[u64; 6], Vec<usize>> = HashMap::new();
    for (i, set) in sets.iter().enumerate() {
        for member in set {
            holders.entry(*member).or_default().push(i);
        }
    }
    let mut seen = vec![false; sets.len()];
    let mut count = 0;
    for start in 0..sets.len() {
        let mut pending = vec![start];
        count += usize::from(!seen[start]);
        while let Some(i) = pending.pop() {
            if !std::mem::replace(&mut seen[i], true) {
                pending.extend(sets[i].iter().flat_map(|m| holders[m].iter().copied()));
            }
        }
    }
    count
}

fn bits(p: Vec3) -> [u64; 3] {
    // Adding zero turns -0 into 0.
    (p + Vec3::ZERO).to_array().map(f64::to_bits)
}

fn concat(a: [u64; 3], b: [u64; 3]) -> [u64; 6] {
    let (low, high) = (a.min(b), a.max(b));
    std::array::from_fn(|i| if i < 3 { low[i] } else { high[i - 3] })
}

/// Parts that hang together by edges, and by vertices.
fn count_parts(mesh: &PolyMesh, is_unused_a_part: bool) -> [usize; 2] {
    let corners: Vec<[[u64; 3]; 3]> = mesh
        .faces()
        .map(|f| [f[0], f[1], f[2]].map(|v| bits(mesh.vertices()[v as usize])))
        .collect();
    let edges: Vec<Vec<[u64; 6]>> = corners
        .iter()
        .map(|[a, b, c]| {
            [[a, b], [b, c], [c, a]]
                .map(|[p, q]| concat(*p, *q))
                .to_vec()
        })
        .collect();
    let mut vertices: Vec<Vec<[u64; 6]>> = corners
        .iter()
        .map(|all| all.map(|p| concat(p, p)).to_vec())
        .collect();
    if is_unused_a_part {
        let all = mesh.vertices().iter().map(|v| bits(*v));
        vertices.extend(all.map(|p| vec![concat(p, p)]));
    }
    [count_joined(&edges), count_joined(&vertices)]
}

/// How many self-intersections the index may have counted: at least, at most.
fn countable_pairs(mesh: &PolyMesh, report: &Report) -> [usize; 2] {
    let sites = |kind| report.finding(kind).map_or(&[][..], |f| &f.sites[..]);
    let flat: HashSet<Site> = sites(Defect::ZeroAreaFace).iter().copied().collect();
    let shared = |[a, b]: [u32; 2]| {
        let points = |face: u32| {
            let corners = mesh.face(face as usize).iter();
            corners.map(|v| bits(mesh.vertices()[*v as usize]))
        };
        let of_b: HashSet<[u64; 3]> = points(b).collect();
        points(a).filter(|p| of_b.contains(p)).count()
    };
    let mut bounds = [0, 0];
    for site in sites(Defect::SelfIntersection) {
        let Site::Faces([a, b]) = *site else {
            panic!("a self-intersection is between two faces, not {site:?}")
        };
        if !flat.contains(&Site::Face(a)) && !flat.contains(&Site::Face(b)) {
            bounds[0] += usize::from(shared([a, b]) < 2);
            bounds[1] += 1;
        }
    }
    bounds
}

fn is_index_closed(report: &Report) -> bool {
    report.facts.boundary_edges == 0 && report.count(Defect::NonManifoldEdge) == 0
}

fn is_nearly_convex(facts: &Facts) -> bool {
    match facts.convexity {
        Convexity::Convex => true,
        Convexity::NotConvex { depth } => depth.is_some_and(|depth| depth <= 1e-5),
        Convexity::Undecided => false,
    }
}

/// How many meshes the index may have called convex: at least, at most.
fn convex_range<'a>(reports: impl IntoIterator<Item = &'a Report>) -> [usize; 2] {
    let closed: Vec<&Report> = reports.into_iter().filter(|r| is_index_closed(r)).collect();
    let exactly = closed
        .iter()
        .filter(|r| r.facts.convexity == Convexity::Convex);
    let nearly = closed.iter().filter(|r| is_nearly_convex(&r.facts));
    [exactly.count(), nearly.count()]
}

/// Everything in which a file differs from its row, in words.
fn compare(row: &Row, mesh: &PolyMesh) -> Vec<String> {
    let pairs = row.count("self-intersecting pairs");
    let options = InspectOptions {
        sites: usize::MAX,
        search_limit: if pairs.is_some() { u64::MAX } else { 0 },
        ..InspectOptions::default()
    };
    let report = inspect_with(mesh, &options);
    let mut differences = Vec::new();
    let mut expect = |what: &str, ours: usize, theirs: usize| {
        if ours != theirs {
            differences.push(format!("{}: {what}: {ours}, not {theirs}", row.file));
        }
    };
    let theirs = |words| row.count(words).unwrap_or(0);
    expect("triangles", report.facts.faces, row.triangles);
    expect(
        "zero-area",
        report.count(Defect::ZeroAreaFace),
        theirs("zero-area"),
    );
    if report.count(Defect::RepeatedCorner) == 0 {
        let repeated = report.count(Defect::DuplicateFace) + report.count(Defect::OppositeFace);
        expect("duplicate tris", repeated, theirs("duplicate tris"));
        expect(
            "open edges",
            report.facts.boundary_edges,
            theirs("open edges"),
        );
        let crowded = report.count(Defect::NonManifoldEdge);
        expect("non-manifold edges", crowded, theirs("non-manifold edges"));
        if row.triangles < MOST_TRIANGLES_WITH_PARTS {
            let is_unused_a_part = row.file.ends_with(".off") || row.file.ends_with(".ply");
            let [by_edges, by_vertices] = count_parts(mesh, is_unused_a_part);
            expect("components", report.facts.components, by_edges);
            expect("parts", by_vertices, row.count("parts").unwrap_or(1));
        }
        expect(
            "closed",
            is_index_closed(&report).into(),
            row.is_closed().into(),
        );
        if !CONVEXITY_UNKNOWN.contains(&row.file.as_str()) {
            let [least, most] = convex_range([&report]);
            let theirs = usize::from(row.is_convex());
            expect("convex", theirs.clamp(least, most), theirs);
        }
    }
    if let Some(theirs) = pairs {
        let [least, most] = countable_pairs(mesh, &report);
        expect("self-intersecting pairs", theirs.clamp(least, most), theirs);
    }
    differences
}

fn data() -> Option<(PathBuf, String)> {
    let Some(folder) = std::env::var_os("IMPINGE_DATA").map(PathBuf::from) else {
        println!("not run: IMPINGE_DATA does not name the folder of test data");
        return None;
    };
    let index = std::fs::read_to_string(folder.join("INDEX.md")).expect("the folder has an index");
    Some((folder, index))
}

fn read(path: &Path) -> PolyMesh {
    as_fans(&io::read(path).expect("a file of the index can be read"))
}

#[test]
fn defects_are_those_of_the_index() {
    let Some((folder, index)) = data() else {
        return;
    };
    let rows = rows(&index);
    let differences: Vec<String> = rows
        .iter()
        .flat_map(|row| compare(row, &read(&folder.join(&row.file))))
        .collect();
    println!("{} files compared", rows.len());
    assert!(rows.len() > 200);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn folders_are_as_closed_and_convex_as_the_index_says() {
    let Some((folder, index)) = data() else {
        return;
    };
    let groups = groups(&index);
    assert!(groups.len() >= 3);
    for expected in groups {
        let files = std::fs::read_dir(folder.join(&expected.folder)).unwrap();
        let options = InspectOptions {
            search_limit: 0,
            ..InspectOptions::default()
        };
        let reports: Vec<Report> = files
            .map(|file| file.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "obj"))
            .map(|path| inspect_with(&read(&path), &options))
            .collect();
        let [least, most] = convex_range(&reports);
        let found = Group {
            folder: expected.folder.clone(),
            files: reports.len(),
            closed: reports.iter().filter(|r| is_index_closed(r)).count(),
            convex: expected.convex.clamp(least, most),
        };
        assert_eq!(found, expected);
    }
}
