//! Shapes of links.

use super::element::Element;
use crate::error::Error;
use crate::math::Vec3;
use crate::shape::Shape;
use std::collections::HashMap;

/// Makes shapes, each hull once however many links have it.
pub(super) struct Geometries<L> {
    /// Gives the vertices of a mesh by its name.
    load: L,
    /// Hulls by the name of their mesh and the bits of their scale.
    hulls: HashMap<(String, [u64; 3]), Shape>,
}

impl<L> Geometries<L>
where
    L: FnMut(&str) -> Result<Vec<Vec3>, String>,
{
    pub(super) fn new(load: L) -> Geometries<L> {
        Geometries {
            load,
            hulls: HashMap::new(),
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
            "mesh" => return self.hull(&kind),
            _ => return Err(kind.error("it is not a known shape")),
        };
        kind.wrap(made)
    }

    /// The hull of the vertices of a mesh.
    fn hull(&mut self, mesh: &Element<'_, '_>) -> Result<Shape, Error> {
        let name = mesh.require("filename")?;
        let scale = mesh.vector("scale", Vec3::ONE)?;
        let key = (name.to_owned(), scale.to_array().map(f64::to_bits));
        if let Some(known) = self.hulls.get(&key) {
            return Ok(known.clone());
        }
        let points = (self.load)(name).map_err(|message| mesh.error(message))?;
        let points: Vec<Vec3> = points.into_iter().map(|p| p * scale).collect();
        let hull = Shape::hull(&points).map_err(|error| mesh.error(format!("{name}: {error}")))?;
        self.hulls.insert(key, hull.clone());
        Ok(hull)
    }
}
