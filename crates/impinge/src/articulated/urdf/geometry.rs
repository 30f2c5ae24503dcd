//! Shapes of links.

use super::element::Element;
use crate::error::Error;
use crate::math::Vec3;
use crate::shape::Shape;
use std::collections::HashMap;

/// Makes shapes, each of a mesh once however many links have it.
pub(super) struct Geometries<L> {
    /// Gives the shape of a mesh by its name and its scale, or says what is wrong.
    load: L,
    /// Shapes by the name of their mesh and the bits of their scale.
    known: HashMap<(String, [u64; 3]), Shape>,
}

impl<L> Geometries<L>
where
    L: FnMut(&str, Vec3) -> Result<Shape, String>,
{
    pub(super) fn new(load: L) -> Geometries<L> {
        Geometries {
            load,
            known: HashMap::new(),
        }
    }

    /// The shape that a `geometry` describes.
    pub(super) fn shape(&mut self, geometry: &Element<'_, '_>) -> Result<Shape, Error> {
        let mut kinds = geometry.children();
        let kind = kinds.next().ok_or_else(|| geometry.error("it is empty"))?;
        let made = match kind.name() {
            "box" => Shape::cuboid(kind.require_vector("size")? / 2.0),
            "sphere" => Shape::sphere(kind.require_number("radius")?),
            "cylinder" => Shape::cylinder(
                kind.require_number("length")? / 2.0,
                kind.require_number("radius")?,
            ),
            "capsule" => Shape::capsule(
                kind.require_number("length")? / 2.0,
                kind.require_number("radius")?,
            ),
            "mesh" => return self.mesh(&kind),
            _ => return Err(kind.error("it is not a known shape")),
        };
        kind.wrap(made)
    }

    /// The shape of a mesh.
    fn mesh(&mut self, mesh: &Element<'_, '_>) -> Result<Shape, Error> {
        let name = mesh.require("filename")?;
        let scale = mesh.vector("scale", Vec3::ONE)?;
        let key = (name.to_owned(), scale.to_array().map(f64::to_bits));
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let shape = (self.load)(name, scale).map_err(|message| mesh.error(message))?;
        self.known.insert(key, shape.clone());
        Ok(shape)
    }
}
