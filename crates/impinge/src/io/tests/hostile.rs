//! Files that lie, are cut off, or were damaged: an error or a model, never a panic, and soon.

use super::*;
use rand::{RngExt, SeedableRng};

/// A small valid file of each format.
fn samples() -> Vec<(Format, Vec<u8>)> {
    let square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.5\n";
    let obj =
        format!("o a\n{square}f 1 2 3 4\no b # c\nv 1 \\\n 2 3\nf -1 1/2/3 2//1\ng c\nf 1 2\n");
    let model = read(&obj, Format::Obj).unwrap();
    let written = |format| super::super::write_bytes(&model, format, Path::new("f")).unwrap();
    let ply = "ply\nformat ascii 1.0\nelement a 2\nproperty list uchar int b\nelement vertex 3\nproperty double x\nproperty uchar c\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar uint vertex_index\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n1 5\n0\n0 9 0 0\n1 9 0 0\n0 9 1 0\n3 0 1 2\n4 0 1 2 -1\n";
    let library = format!("polytopes 1\npolytope w\n{square}f 1 2 3\nend\n");
    let mut samples = vec![
        (Format::Obj, obj.clone().into_bytes()),
        (Format::StlText, written(Format::StlText)),
        (Format::StlBinary, written(Format::StlBinary)),
        (Format::PlyText, ply.into()),
        (Format::PlyBinary, written(Format::PlyBinary)),
        (
            Format::Off,
            b"COFF 3 2 0\n0 0 0 1\n1 0 0\n0 1 0\n3 0 1 2 0.5\n2 0 1\n".to_vec(),
        ),
        (Format::Polytopes, library.into_bytes()),
    ];
    #[cfg(feature = "gltf")]
    samples.extend([
        (Format::Glb, super::gltf::sample_glb()),
        (Format::Gltf, super::gltf::sample_gltf()),
    ]);
    samples
}

/// Everything a user does with a file.
fn use_up(bytes: &[u8], format: Format) {
    if let Ok(model) = read(bytes, format) {
        let _ = model.triangulate();
    }
    let _ = Format::detect(Path::new("a"), bytes);
}

#[test]
fn all_prefixes() {
    for (format, bytes) in samples() {
        read(&bytes, format).unwrap();
        for end in 0..bytes.len() {
            use_up(&bytes[..end], format);
        }
    }
}

#[test]
fn damaged_bytes() {
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    for (format, bytes) in samples() {
        for _ in 0..3000 {
            let mut bytes = bytes.clone();
            for _ in 0..random.random_range(1..6) {
                let at = random.random_range(0..bytes.len());
                match random.random_range(0..4) {
                    0 => bytes[at] = random.random(),
                    1 => bytes[at] ^= 1 << random.random_range(0..8),
                    2 => drop(bytes.remove(at)),
                    _ => bytes.insert(
                        at,
                        *b"0 9-/\n\\#\xff.e".get(random.random_range(0..11)).unwrap(),
                    ),
                }
            }
            use_up(&bytes, format);
        }
    }
}

#[test]
fn every_reader_takes_every_file() {
    for (_, bytes) in samples() {
        for (format, _) in samples() {
            use_up(&bytes, format);
        }
    }
}

/// Counts that would fill the memory if they were believed.
#[test]
fn huge_counts() {
    let huge = "18446744073709551615";
    let ply = |encoding: &str, properties: &str| {
        format!("ply\nformat {encoding} 1.0\nelement vertex {huge}\n{properties}\nend_header\n")
    };
    let xyz = "property float x\nproperty float y\nproperty float z";
    let lists = "property list uint double l\nproperty float x\nproperty float y\nproperty float z";
    let face = format!(
        "ply\nformat binary_big_endian 1.0\nelement face {huge}\nproperty list uint int vertex_index\nend_header\n\u{7f}\u{7f}\u{7f}\u{7f}"
    );
    let files = [
        (Format::Off, format!("OFF {huge} 0 0\n0 0 0\n")),
        (
            Format::Off,
            format!("OFF 1 {huge} 0\n0 0 0\n{huge} 0 0 0\n"),
        ),
        (Format::PlyText, ply("ascii", xyz)),
        (Format::PlyBinary, ply("binary_little_endian", xyz)),
        (
            Format::PlyBinary,
            ply("binary_little_endian", lists) + "\u{7f}\u{7f}\u{7f}\u{7f}",
        ),
        (Format::PlyBinary, face),
    ];
    for (format, file) in files {
        assert!(read(file, format).is_err());
    }
    let mut stl = vec![b' '; 84];
    stl[80..].fill(0xff);
    assert!(read(stl, Format::StlBinary).is_err());
    let nothing = format!("ply\nformat ascii 1.0\nelement a {huge}\nend_header\n");
    assert!(read(nothing, Format::PlyText).is_ok());
}

/// One line, one word, one face: nothing is slow in the length of them.
#[test]
fn long_lines_and_many_names() {
    let digits = format!("v 0.{} 0 0\n", "3".repeat(1_000_000));
    assert!(read(digits, Format::Obj).is_ok());
    let blanks = format!("v 0 0{}0\n", " ".repeat(1_000_000));
    assert!(read(blanks, Format::Obj).is_ok());
    let slashes = format!("v 0 0 0\nf {}\n", "\\ ".repeat(300_000));
    assert!(read(slashes, Format::Obj).is_err());
    let face = format!(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf {}\n",
        "1 2 3 ".repeat(100_000)
    );
    assert_eq!(only(face, Format::Obj).face(0).len(), 300_000);
    let names: String = (0..50_000)
        .map(|k| format!("o {k}\nv {k} 0 0\nf -1 1 1\n"))
        .collect();
    assert_eq!(read(names, Format::Obj).unwrap().meshes().len(), 50_000);
}
