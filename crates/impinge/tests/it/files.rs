//! Every model of the test data folder, against the counts in its table.
//!
//! The folder is other people's work and not part of the repository; `IMPINGE_DATA` names it. Its `INDEX.md` gives for
//! each file, or for a folder of files together, the number of vertices after merging equal coordinates, and of
//! triangles after fan triangulation, as an independent reader counted them. That reader counts the vertices that no
//! face uses in OFF and PLY files, and does not in the others.

use impinge::Vec3;
use impinge::io::{self, Model};
use impinge::shape::PolyMesh;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn data_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("IMPINGE_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("not run: IMPINGE_DATA does not name the folder of test data");
    }
    folder
}

/// A row of the table: some files, and how many vertices and triangles they have together.
struct Row {
    files: Vec<PathBuf>,
    vertices: usize,
    triangles: usize,
}

/// The rows of files that this build can read.
fn rows(folder: &Path) -> Vec<Row> {
    let index = std::fs::read_to_string(folder.join("INDEX.md")).expect("the folder has an index");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let files = files_of(folder, cells.get(1)?);
        let is_row = !files.is_empty() && files.iter().all(|file| is_model(file));
        is_row.then_some(())?;
        Some(Row {
            files,
            vertices: cells.get(4)?.parse().ok()?,
            triangles: cells.get(5)?.parse().ok()?,
        })
    };
    index.lines().filter_map(row).collect()
}

/// The file of a cell, or all files in the folder of a cell like `name/ (101 obj)`.
fn files_of(folder: &Path, cell: &str) -> Vec<PathBuf> {
    match cell.split_once("/ (") {
        Some((name, _)) => std::fs::read_dir(folder.join(name))
            .into_iter()
            .flatten()
            .map(|entry| entry.expect("the folder can be listed").path())
            .filter(|path| is_model(path))
            .collect(),
        None => vec![folder.join(cell)],
    }
}

fn extension(file: &Path) -> String {
    let extension = file.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

fn is_model(file: &Path) -> bool {
    let extension = extension(file);
    ["obj", "off", "ply", "stl"].contains(&extension.as_str())
        || (cfg!(feature = "gltf") && extension == "glb")
}

fn counts(model: &Model, with_unused: bool) -> (usize, usize) {
    let place = |v: &Vec3| (*v + Vec3::ZERO).to_array().map(f64::to_bits);
    let mut places = HashSet::new();
    let mut triangles = 0;
    for mesh in model.meshes() {
        if with_unused {
            places.extend(mesh.vertices().iter().map(place));
        }
        for face in mesh.faces() {
            triangles += face.len() - 2;
            places.extend(face.iter().map(|i| place(&mesh.vertices()[*i as usize])));
        }
    }
    (places.len(), triangles)
}

#[test]
fn all_models_have_the_counts_of_the_table() {
    let Some(folder) = data_folder() else { return };
    let (mut files, mut wrong) = (0, Vec::new());
    for row in rows(&folder) {
        let (mut vertices, mut triangles) = (0, 0);
        for file in &row.files {
            files += 1;
            let model = io::read(file).unwrap_or_else(|e| panic!("{e}"));
            let (v, t) = counts(&model, ["off", "ply"].contains(&extension(file).as_str()));
            vertices += v;
            triangles += t;
            // No polygon of all these crosses itself or is flat, so each must be cut exactly.
            assert_eq!(exact_triangles(&model), t, "{}", file.display());
        }
        if (vertices, triangles) != (row.vertices, row.triangles) {
            let (file, expected) = (row.files[0].display(), (row.vertices, row.triangles));
            wrong.push(format!(
                "{file}: {:?} for {expected:?}",
                (vertices, triangles)
            ));
        }
    }
    println!("{files} files read");
    assert!(files >= 400, "only {files} files of about 410 were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How many triangles the model's polygons are cut into, without those that were cut as fans for want of a better way.
fn exact_triangles(model: &Model) -> usize {
    let cut = |mesh: &PolyMesh| {
        let cut = mesh.triangulate();
        cut.faces
            .iter()
            .filter(|face| !cut.fans.contains(face))
            .count()
    };
    model.meshes().iter().map(cut).sum()
}

/// The notes of a file that was read leniently, as text.
fn notes(model: &Model) -> Vec<String> {
    model.notes().iter().map(ToString::to_string).collect()
}

#[test]
fn corner_cases_for_loaders() {
    let Some(folder) = data_folder() else { return };
    let read =
        |name: &str| io::read(&folder.join("loader").join(name)).unwrap_or_else(|e| panic!("{e}"));
    let shape = |model: &Model| -> Vec<(String, usize, usize)> {
        let of_mesh = |m: &PolyMesh| (m.name().to_owned(), m.vertices().len(), m.face_count());
        model.meshes().iter().map(of_mesh).collect()
    };
    let one = |name: &str, vertices, faces| vec![(name.to_owned(), vertices, faces)];

    assert_eq!(shape(&read("as-box_longline.obj")), one("1", 8, 6));
    assert_eq!(shape(&read("as-cube_binary.ply")), one("", 8, 12));
    assert_eq!(shape(&read("tm-comments.off")), one("", 8, 6));
    assert_eq!(shape(&read("tm-whitespace.off")), one("", 8, 6));
    assert_eq!(shape(&read("tm-cube_compressed.obj")), one("Cube", 8, 12));
    assert_eq!(shape(&read("tm-negative_indices.obj")), one("", 8, 6));
    assert_eq!(
        shape(&read("tm-polygonfaces.obj")),
        one("textureSurface", 5, 1)
    );
    assert_eq!(shape(&read("tm-singlevn.obj")), one("textureSurface", 4, 2));
    for empty in ["tm-empty.obj", "tm-ply_empty_ascii.ply"] {
        assert_eq!(shape(&read(empty)), []);
    }
    let solids = shape(&read("as-triangle_with_two_solids.stl"));
    assert_eq!(
        solids,
        [one("testTriangle_1", 3, 1), one("testTriangle_2", 3, 1)].concat()
    );

    // Vertices that no face uses stay: here 12 of 15, six of them with a misspelt exponent.
    let numbers = read("as-number_formats.obj");
    assert_eq!(shape(&numbers), one("", 15, 1));
    assert_eq!(
        notes(&numbers),
        ["line 11: malformed exponent passed over (6 times)"]
    );
    assert_eq!(
        numbers.meshes()[0].vertices()[4],
        Vec3::new(100.0, 20.0, 310.0)
    );

    // One polygon with a hole joined to its outline.
    let concave = read("as-concave_polygon.obj");
    let cut = concave.meshes()[0].triangulate();
    assert_eq!((cut.triangles.len(), cut.fans.len()), (64, 0));
}
