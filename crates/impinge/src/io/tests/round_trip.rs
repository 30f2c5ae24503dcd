//! What is written and read again is the same, bit for bit.

use super::*;
use crate::io::write_bytes;
use proptest::prelude::*;

/// Any finite number: all bit patterns, and plain decimals.
fn number() -> impl Strategy<Value = f64> {
    let any = any::<u64>()
        .prop_map(f64::from_bits)
        .prop_filter("finite", |x| x.is_finite());
    prop_oneof![any, (-1000i32..1000).prop_map(|k| f64::from(k) / 10.0)]
}

fn mesh(name: &'static str) -> impl Strategy<Value = PolyMesh> {
    let vertices = prop::collection::vec([number(), number(), number()], 3..20);
    let faces = prop::collection::vec(
        prop::collection::vec(any::<prop::sample::Index>(), 3..6),
        0..10,
    );
    (vertices, faces).prop_map(move |(vertices, faces)| {
        let count = vertices.len();
        let vertices = vertices.into_iter().map(Vec3::from_array).collect();
        let mut mesh = PolyMesh::new(name, vertices).unwrap();
        for face in faces {
            let face: Vec<u32> = face.iter().map(|i| i.index(count) as u32).collect();
            mesh.push_face(&face).unwrap();
        }
        mesh
    })
}

fn again(model: &Model, format: Format) -> Model {
    let bytes = write_bytes(model, format, Path::new("file")).unwrap();
    read(bytes, format).unwrap()
}

fn assert_same(a: &Model, b: &Model) {
    assert_eq!(a, b);
    // Equal numbers may differ in the sign of zero.
    let bits = |m: &Model| -> Vec<[u64; 3]> {
        m.points().map(|v| v.to_array().map(f64::to_bits)).collect()
    };
    assert_eq!(bits(a), bits(b));
}

/// The corners of all triangles of all objects, object by object. Adding zero makes -0 and 0 one.
fn triangles(model: &Model) -> Vec<Vec<[[u64; 3]; 3]>> {
    let corner = |v: Vec3| (v + Vec3::ZERO).to_array().map(f64::to_bits);
    model
        .meshes()
        .iter()
        .map(|m| {
            let cut = m.triangulate().triangles;
            cut.iter()
                .map(|t| t.map(|i| corner(m.vertices()[i as usize])))
                .collect()
        })
        .filter(|triangles: &Vec<_>| !triangles.is_empty())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn one_object(mesh in mesh("")) {
        let model = Model::new(vec![mesh]);
        for format in [Format::Obj, Format::PlyText, Format::PlyBinary, Format::Off] {
            assert_same(&model, &again(&model, format));
        }
    }

    #[test]
    fn several_objects(a in mesh("a b"), b in mesh(""), c in mesh("#c")) {
        let model = Model::new(vec![a, b, c]);
        assert_same(&model, &again(&model, Format::Obj));
        let read = again(&model, Format::StlText);
        prop_assert_eq!(triangles(&model), triangles(&read));
        let with_faces = model.meshes().iter().filter(|m| m.face_count() > 0);
        prop_assert!(with_faces.map(PolyMesh::name).eq(read.meshes().iter().map(PolyMesh::name)));
        // Formats of one object hold all of them.
        let united = again(&model, Format::PlyBinary);
        prop_assert_eq!(model.points().count(), united.points().count());
        prop_assert_eq!(triangles(&model).concat(), triangles(&united).concat());
    }

    #[test]
    fn single_precision(mesh in mesh("")) {
        let rounded = mesh.vertices().iter().map(|v| Vec3::from_array(v.to_array().map(|x| {
            f64::from((x as f32).clamp(f32::MIN, f32::MAX))
        }))).collect();
        let mut single = PolyMesh::new("", rounded).unwrap();
        for face in mesh.faces() {
            single.push_face(face).unwrap();
        }
        let model = Model::new(vec![single]);
        prop_assert_eq!(triangles(&model), triangles(&again(&model, Format::StlBinary)));
    }
}

#[test]
fn long_faces_and_odd_names() {
    let vertices: Vec<Vec3> = (0..300)
        .map(|k| p(f64::from(k), f64::from(k * k), 0.0))
        .collect();
    let mut mesh = PolyMesh::new(" two\nlines\t", vertices).unwrap();
    mesh.push_face(&Vec::from_iter(0..300)).unwrap();
    let model = Model::new(vec![mesh]);
    let read = again(&model, Format::Obj);
    assert_eq!(read.meshes()[0].name(), "two lines");
    for format in [Format::Obj, Format::PlyText, Format::PlyBinary, Format::Off] {
        assert_eq!(again(&model, format).meshes()[0].face(0).len(), 300);
    }
    assert!(write_bytes(&model, Format::Glb, Path::new("f")).is_err());
}
