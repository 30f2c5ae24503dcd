//! Typed arrays in buffers, with every range checked.

use super::container::{Container, load};
use crate::math::Vec3;
use gltf_json::accessor::{Accessor, ComponentType, Type};
use gltf_json::buffer::View;
use gltf_json::validation::Checked;
use gltf_json::{Index, Root};
use std::collections::HashMap;
use std::path::Path;

/// All buffers of a file, loaded when first used.
///
/// Parts of a file may be used many times over, so a small file can stand for a large model. Everything that comes out is
/// charged to a budget: what the bytes could hold if each was used once, and some.
pub(super) struct Data<'a> {
    root: &'a Root,
    name: &'a Path,
    binary: Option<&'a [u8]>,
    /// Buffers of the same address are one.
    loaded: HashMap<&'a str, Vec<u8>>,
    /// How many more elements (vertices, indices, primitives) may come out.
    budget: u64,
}

/// Elements that a file of any size may stand for.
const FREE_ELEMENTS: u64 = 1 << 24;
/// Elements for each byte: an index may be one byte, and is charged as an index and as a corner.
const ELEMENTS_PER_BYTE: u64 = 4;

impl<'a> Data<'a> {
    pub(super) fn new(root: &'a Root, container: &Container<'a>, name: &'a Path) -> Data<'a> {
        let binary = container.binary.unwrap_or_default().len() as u64;
        Data {
            root,
            name,
            binary: container.binary,
            loaded: HashMap::new(),
            budget: FREE_ELEMENTS + ELEMENTS_PER_BYTE * binary,
        }
    }

    /// Takes elements off the budget.
    pub(super) fn charge(&mut self, elements: usize) -> Result<(), String> {
        let left = self.budget.checked_sub(elements as u64);
        self.budget = left.ok_or("the file stands for more elements than can be read")?;
        Ok(())
    }

    /// An accessor of three-dimensional vectors. Integers are allowed, as in `KHR_mesh_quantization`.
    pub(super) fn positions(&mut self, index: usize) -> Result<Vec<Vec3>, String> {
        let accessor = self.accessor(index)?;
        if accessor.type_ != Checked::Valid(Type::Vec3) {
            return Err(format!("accessor {index} does not hold vectors of three"));
        }
        let values = self.values::<3>(index)?;
        Ok(values.into_iter().map(Vec3::from_array).collect())
    }

    /// An accessor of unsigned integers.
    pub(super) fn indices(&mut self, index: usize) -> Result<Vec<u32>, String> {
        let accessor = self.accessor(index)?;
        let is_unsigned = matches!(
            component(accessor, index)?,
            ComponentType::U8 | ComponentType::U16 | ComponentType::U32
        );
        if accessor.type_ != Checked::Valid(Type::Scalar) || !is_unsigned || accessor.normalized {
            return Err(format!("accessor {index} does not hold indices"));
        }
        let values = self.values::<1>(index)?;
        Ok(values.into_iter().map(|[value]| value as u32).collect())
    }

    fn accessor(&self, index: usize) -> Result<&'a Accessor, String> {
        let accessor = self.root.accessors.get(index);
        accessor.ok_or_else(|| format!("there is no accessor {index}"))
    }

    /// The values of an accessor of `N` components, all of which `f64` holds exactly (but for the division that
    /// normalizes integers).
    fn values<const N: usize>(&mut self, index: usize) -> Result<Vec<[f64; N]>, String> {
        let accessor = self.accessor(index)?;
        let kind = component(accessor, index)?;
        let count = to_size(accessor.count.0)?;
        self.charge(count)?;
        let normalize = |x: f64| (x / largest(kind)).max(-1.0);
        let read = |bytes: &[u8]| {
            let values = element::<N>(bytes, kind);
            if accessor.normalized {
                values.map(normalize)
            } else {
                values
            }
        };
        let mut values = match accessor.buffer_view {
            Some(view) => {
                let offset = to_size(accessor.byte_offset.unwrap_or_default().0)?;
                let array = self.array(view, offset, count, N * kind.size())?;
                array.map(read).collect()
            }
            None if accessor.sparse.is_some() => vec![[0.0; N]; count],
            None => return Err(format!("accessor {index} has no data")),
        };
        if let Some(sparse) = &accessor.sparse {
            let changes = to_size(sparse.count.0)?;
            self.charge(changes)?;
            let places = self.sparse_places(index, changes)?;
            let offset = to_size(sparse.values.byte_offset.0)?;
            let array = self.array(sparse.values.buffer_view, offset, changes, N * kind.size())?;
            for (place, bytes) in places.into_iter().zip(array) {
                let value = values.get_mut(place);
                *value.ok_or_else(|| {
                    format!("accessor {index} replaces value {place} of {count}")
                })? = read(bytes);
            }
        }
        Ok(values)
    }

    /// Which values a sparse accessor replaces.
    fn sparse_places(&mut self, index: usize, changes: usize) -> Result<Vec<usize>, String> {
        let accessor = self.accessor(index)?;
        let sparse = accessor.sparse.as_ref().ok_or("no sparse values")?;
        let Checked::Valid(kind) = sparse.indices.component_type else {
            return Err(format!(
                "accessor {index} has sparse indices of an unknown type"
            ));
        };
        let offset = to_size(sparse.indices.byte_offset.0)?;
        let array = self.array(sparse.indices.buffer_view, offset, changes, kind.0.size())?;
        Ok(array
            .map(|bytes| element::<1>(bytes, kind.0)[0] as usize)
            .collect())
    }

    /// The elements of an array in a view: slices of at least `size` bytes.
    fn array(
        &mut self,
        view: Index<View>,
        offset: usize,
        count: usize,
        size: usize,
    ) -> Result<impl Iterator<Item = &[u8]>, String> {
        let number = view.value();
        let views = &self.root.buffer_views;
        let view = views
            .get(number)
            .ok_or_else(|| format!("there is no buffer view {number}"))?;
        let stride = view.byte_stride.map_or(size, |stride| stride.0.max(size));
        let bytes = self
            .view_bytes(view)
            .map_err(|e| format!("buffer view {number}: {e}"))?;
        // The last element need not fill its stride.
        let needed = match count.checked_sub(1) {
            Some(strides) => strides
                .checked_mul(stride)
                .and_then(|length| length.checked_add(size)?.checked_add(offset)),
            None => Some(0),
        };
        match needed {
            Some(needed) if needed <= bytes.len() => {
                Ok((0..count).map(move |k| &bytes[offset + k * stride..][..size]))
            }
            Some(_) | None => {
                let length = bytes.len();
                Err(format!(
                    "{count} elements do not fit into the {length} bytes of buffer view {number}"
                ))
            }
        }
    }

    fn view_bytes(&mut self, view: &'a View) -> Result<&[u8], String> {
        let start = to_size(view.byte_offset.unwrap_or_default().0)?;
        let length = to_size(view.byte_length.0)?;
        let buffer = self.buffer(view.buffer.value())?;
        start
            .checked_add(length)
            .and_then(|end| buffer.get(start..end))
            .ok_or_else(|| format!("it reaches past the {} bytes of its buffer", buffer.len()))
    }

    fn buffer(&mut self, index: usize) -> Result<&[u8], String> {
        let buffers = &self.root.buffers;
        let buffer = buffers
            .get(index)
            .ok_or_else(|| format!("there is no buffer {index}"))?;
        let length = to_size(buffer.byte_length.0)?;
        let bytes: &[u8] = match &buffer.uri {
            None => self
                .binary
                .ok_or_else(|| format!("buffer {index} has no data"))?,
            Some(uri) => {
                if !self.loaded.contains_key(uri.as_str()) {
                    let bytes = load(uri, self.name).map_err(|e| format!("buffer {index}: {e}"))?;
                    self.budget += ELEMENTS_PER_BYTE * bytes.len() as u64;
                    self.loaded.insert(uri, bytes);
                }
                &self.loaded[uri.as_str()]
            }
        };
        bytes.get(..length).ok_or_else(|| {
            let there = bytes.len();
            format!("buffer {index} declares {length} bytes and has {there}")
        })
    }
}

fn component(accessor: &Accessor, index: usize) -> Result<ComponentType, String> {
    match accessor.component_type {
        Checked::Valid(kind) => Ok(kind.0),
        Checked::Invalid => Err(format!("accessor {index} is of an unknown type")),
    }
}

fn to_size(value: u64) -> Result<usize, String> {
    usize::try_from(value).map_err(|_| format!("{value} is too large"))
}

/// The largest value of a type: what normalized integers are divided by.
fn largest(kind: ComponentType) -> f64 {
    match kind {
        ComponentType::I8 => i8::MAX.into(),
        ComponentType::U8 => u8::MAX.into(),
        ComponentType::I16 => i16::MAX.into(),
        ComponentType::U16 => u16::MAX.into(),
        ComponentType::U32 => u32::MAX.into(),
        ComponentType::F32 => 1.0,
    }
}

/// The first `N` numbers of some bytes, of which there must be enough.
fn element<const N: usize>(bytes: &[u8], kind: ComponentType) -> [f64; N] {
    let size = kind.size();
    std::array::from_fn(|k| number(&bytes[k * size..][..size], kind))
}

fn number(bytes: &[u8], kind: ComponentType) -> f64 {
    let mut four = [0; 4];
    four[..bytes.len()].copy_from_slice(bytes);
    let [a, b, ..] = four;
    match kind {
        ComponentType::I8 => (a as i8).into(),
        ComponentType::U8 => a.into(),
        ComponentType::I16 => i16::from_le_bytes([a, b]).into(),
        ComponentType::U16 => u16::from_le_bytes([a, b]).into(),
        ComponentType::U32 => u32::from_le_bytes(four).into(),
        ComponentType::F32 => f32::from_le_bytes(four).into(),
    }
}
