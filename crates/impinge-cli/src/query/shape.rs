//! SHAPE: one field that says what it is, and optionally `"scale"` and `"radius"`.
//!
//! The scale multiplies coordinates before the pose; the radius rounds the scaled shape. Primitives are scaled as sets:
//! what comes out must be a primitive again, so a sphere may become an ellipsoid, but a cylinder cannot become an
//! elliptic one.

use super::fields::{Fields, expected, in_place, list, number, numbers, text};
use super::models::{FileKind, Models, scaled};
use impinge::{HeightField, Mat3, Pose, Shape, TriMesh, Vec3};
use serde_json::Value;
use std::path::Path;

/// A shape as a line gives it.
#[derive(Debug)]
pub(super) struct Given {
    shape: Shape,
    /// The shape is to be turned upside down first: a mirrored cone.
    is_flipped: bool,
}

impl Given {
    /// The shape itself.
    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Where the shape is when the line puts it at `pose`. Half a turn about x is exact.
    pub(super) fn pose(&self, pose: Pose) -> Result<Pose, impinge::Error> {
        if !self.is_flipped {
            return Ok(pose);
        }
        let half_turn = Mat3::from_diagonal(HALF_TURN);
        Pose::from_matrix(*pose.matrix() * half_turn, pose.translation())
    }

    /// A point that the line gives in the frame of the body, in the frame of the shape.
    pub(super) fn point(&self, point: Vec3) -> Vec3 {
        if self.is_flipped {
            point * HALF_TURN
        } else {
            point
        }
    }
}

/// The diagonal of half a turn about x.
const HALF_TURN: Vec3 = Vec3::new(1.0, -1.0, -1.0);

/// The field that says what a shape is.
const KINDS: [&str; 13] = [
    "mesh",
    "solid",
    "hull",
    "points",
    "triangles",
    "heights",
    "sphere",
    "box",
    "capsule",
    "cylinder",
    "cone",
    "ellipsoid",
    "halfspace",
];

/// Reads a shape. Relative paths are relative to `folder`.
pub(super) fn read(
    place: &str,
    value: &Value,
    folder: &Path,
    models: &mut Models,
) -> Result<Given, String> {
    let mut fields = Fields::of(place, value)?;
    let scale = match fields.take("scale") {
        Some(scale) => read_scale(&fields.path("scale"), scale)?,
        None => Vec3::ONE,
    };
    let radius = match fields.take("radius") {
        Some(radius) => Some(number(&fields.path("radius"), radius)?),
        None => None,
    };
    let given = KINDS.map(|kind| fields.take(kind).map(|value| (kind, value)));
    let mut given = given.into_iter().flatten();
    let (kind, value) = match (given.next(), given.next()) {
        (Some(one), None) => one,
        (None, _) => return Err(expected(place, &format!("one of: {}", KINDS.join(", ")))),
        (Some((one, _)), Some((other, _))) => {
            return Err(in_place(place, &format!("give {one} or {other}, not both")));
        }
    };
    let kind_place = fields.path(kind);
    fields.finish()?;
    let mut source = Source {
        place: &kind_place,
        value,
        scale,
        folder,
        models,
    };
    let shape = source.shape(kind)?;
    let shape = match radius {
        Some(radius) => shape
            .rounded(radius)
            .map_err(|e| in_place(place, &e.to_string()))?,
        None => shape,
    };
    Ok(Given {
        shape,
        is_flipped: kind == "cone" && scale.z < 0.0,
    })
}

fn read_scale(place: &str, value: &Value) -> Result<Vec3, String> {
    let scale = if value.is_array() {
        Vec3::from_array(numbers(place, value)?)
    } else {
        let all = value.as_f64();
        Vec3::splat(all.ok_or_else(|| expected(place, "a number or a list of 3 numbers"))?)
    };
    if scale.to_array().contains(&0.0) {
        return Err(in_place(place, "must not be 0"));
    }
    Ok(scale)
}

/// The value that describes a shape, and what is needed to make it.
struct Source<'s> {
    place: &'s str,
    value: &'s Value,
    scale: Vec3,
    folder: &'s Path,
    models: &'s mut Models,
}

impl Source<'_> {
    fn shape(&mut self, kind: &str) -> Result<Shape, String> {
        match kind {
            "mesh" => self.file(FileKind::Mesh),
            "solid" => self.file(FileKind::Solid),
            "hull" => self.file(FileKind::Hull),
            "points" => self.points(),
            "triangles" => self.triangles(),
            "heights" => self.heights(),
            "sphere" => self.sphere(),
            "box" => {
                let half = Vec3::from_array(self.sizes()?);
                self.checked(Shape::cuboid(half * self.scale.abs()))
            }
            "capsule" => self.capsule(),
            "cylinder" => {
                let [half_height, radius] = self.round_sizes()?;
                self.checked(Shape::cylinder(half_height, radius))
            }
            "cone" => {
                let [half_height, radius] = self.round_sizes()?;
                self.checked(Shape::cone(half_height, radius))
            }
            "ellipsoid" => {
                let radii = Vec3::from_array(self.sizes()?);
                self.checked(Shape::ellipsoid(radii * self.scale.abs()))
            }
            _ => self.half_space(),
        }
    }

    fn file(&mut self, kind: FileKind) -> Result<Shape, String> {
        let path = self.folder.join(text(self.place, self.value)?);
        let shape = self.models.shape(&path, kind, self.scale);
        shape.map_err(|message| in_place(self.place, &message))
    }

    fn points(&self) -> Result<Shape, String> {
        let points = self.point_list(self.place, self.value)?;
        let scaled: Vec<Vec3> = points.into_iter().map(|p| p * self.scale).collect();
        self.checked(Shape::hull(&scaled))
    }

    fn triangles(&self) -> Result<Shape, String> {
        let mut fields = Fields::of(self.place, self.value)?;
        let vertices = fields.require("vertices")?;
        let vertices = self.point_list(&fields.path("vertices"), vertices)?;
        let faces = fields.require("faces")?;
        let faces = list(&fields.path("faces"), faces, read_face)?;
        fields.finish()?;
        let mesh = TriMesh::new(vertices, faces).and_then(|mesh| scaled(&mesh, self.scale));
        self.checked(mesh.map(Shape::from))
    }

    fn heights(&self) -> Result<Shape, String> {
        if self.scale.x < 0.0 || self.scale.y < 0.0 {
            let message = "a height field cannot be mirrored in x or y";
            return Err(in_place(self.place, message));
        }
        let mut fields = Fields::of(self.place, self.value)?;
        let cell: [f64; 2] = numbers(&fields.path("cell"), fields.require("cell")?)?;
        let rows = list(
            &fields.path("rows"),
            fields.require("rows")?,
            |place, row| list(place, row, number),
        )?;
        let holes = match fields.take("holes") {
            Some(holes) => list(&fields.path("holes"), holes, read_cell)?,
            None => Vec::new(),
        };
        fields.finish()?;
        let columns = rows.first().map_or(0, Vec::len);
        if let Some(row) = rows.iter().position(|row| row.len() != columns) {
            let place = format!("{}.rows[{row}]", self.place);
            return Err(expected(&place, &format!("{columns} heights as in row 0")));
        }
        let heights = rows.iter().flatten().map(|height| height * self.scale.z);
        let cell = [cell[0] * self.scale.x, cell[1] * self.scale.y];
        let field = HeightField::new([rows.len(), columns], cell, heights.collect());
        self.checked(
            field
                .and_then(|field| field.with_holes(holes))
                .map(Shape::from),
        )
    }

    fn point_list(&self, place: &str, value: &Value) -> Result<Vec<Vec3>, String> {
        list(place, value, |place, p| {
            numbers(place, p).map(Vec3::from_array)
        })
    }

    fn sphere(&self) -> Result<Shape, String> {
        let radius = number(self.place, self.value)?;
        let scale = self.scale.abs();
        if is_uniform(scale) || radius <= 0.0 {
            return self.checked(Shape::sphere(radius * scale.x));
        }
        self.checked(Shape::ellipsoid(scale * radius))
    }

    fn capsule(&self) -> Result<Shape, String> {
        if !is_uniform(self.scale.abs()) {
            let message = "a capsule can only be scaled alike in all directions";
            return Err(in_place(self.place, message));
        }
        let [half_height, radius] = self.sizes()?;
        let scale = self.scale.x.abs();
        self.checked(Shape::capsule(half_height * scale, radius * scale))
    }

    /// Half height and radius of a cylinder or cone.
    fn round_sizes(&self) -> Result<[f64; 2], String> {
        let scale = self.scale.abs();
        if scale.x.to_bits() != scale.y.to_bits() {
            let message = "a cylinder or cone must be scaled alike in x and y";
            return Err(in_place(self.place, message));
        }
        let [half_height, radius] = self.sizes()?;
        Ok([half_height * scale.z, radius * scale.x])
    }

    fn half_space(&self) -> Result<Shape, String> {
        let [x, y, z, offset] = self.sizes()?;
        let (normal, scale) = (Vec3::new(x, y, z), self.scale);
        // Scaled points p satisfy normal . (p / scale) <= offset. Scaled alike, only the offset changes, and nothing tilts.
        let signs = scale.signum();
        self.checked(if is_uniform(scale.abs()) {
            Shape::half_space(normal * signs, offset * scale.x.abs())
        } else {
            Shape::half_space(normal / scale, offset)
        })
    }

    fn sizes<const N: usize>(&self) -> Result<[f64; N], String> {
        numbers(self.place, self.value)
    }

    fn checked(&self, shape: Result<Shape, impinge::Error>) -> Result<Shape, String> {
        shape.map_err(|error| in_place(self.place, &error.to_string()))
    }
}

fn is_uniform(scale: Vec3) -> bool {
    scale == Vec3::splat(scale.x)
}

/// The row and column of a cell.
fn read_cell(place: &str, value: &Value) -> Result<[usize; 2], String> {
    let indices: Option<Vec<usize>> = value.as_array().and_then(|array| {
        let index = |i: &Value| i.as_u64().and_then(|i| usize::try_from(i).ok());
        array.iter().map(index).collect()
    });
    indices
        .and_then(|indices| indices.try_into().ok())
        .ok_or_else(|| expected(place, "a row and a column"))
}

fn read_face(place: &str, value: &Value) -> Result<[u32; 3], String> {
    let indices: Option<Vec<u32>> = value.as_array().and_then(|array| {
        let index = |i: &Value| i.as_u64().and_then(|i| u32::try_from(i).ok());
        array.iter().map(index).collect()
    });
    indices
        .and_then(|indices| indices.try_into().ok())
        .ok_or_else(|| expected(place, "a list of 3 vertex indices"))
}
