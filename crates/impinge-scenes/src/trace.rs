//! Recorded motion: the shapes, and where every body was in every frame.
//!
//! The binary format `CTRACE1` is little endian, without padding:
//!
//! | part | content |
//! |---|---|
//! | header | the eight bytes `CTRACE1` and 0 |
//! | shapes | `u32` count; for each: `u32` count and that many vertices (three `f64`), `u32` count and that many triangles (three `u32`) |
//! | bodies | `u32` count; for each the `u32` index of its shape |
//! | frames | `u32` count; for each frame and body a quaternion `x, y, z, w` and a translation (seven `f64`) |
//!
//! Every engine can read it, so that all can be given the same work. Counts in a file are compared with what is there
//! before anything is allocated for them; an error names the byte.

use impinge::error::Place;
use impinge::{Error, Pose, Quat, Vec3};
use std::io::{self, Write};
use std::path::Path;

const HEADER: &[u8; 8] = b"CTRACE1\0";

/// A recording.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trace {
    /// The shapes that bodies may have.
    pub shapes: Vec<TraceShape>,
    /// For each body the index of its shape.
    pub shape_of: Vec<u32>,
    /// For each frame the placement of each body.
    pub frames: Vec<Vec<Placement>>,
}

/// A closed triangle mesh, outward counterclockwise; for convex bodies the hull of the vertices is meant.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TraceShape {
    /// The vertices.
    pub vertices: Vec<Vec3>,
    /// Three vertices each.
    pub triangles: Vec<[u32; 3]>,
}

/// Where a body is, as it stands in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// The rotation, of unit length up to rounding.
    pub rotation: Quat,
    /// The translation.
    pub translation: Vec3,
}

impl Placement {
    /// The pose; an error unless the rotation is of unit length and all numbers are finite.
    pub fn pose(&self) -> Result<Pose, Error> {
        Pose::from_quat(self.rotation, self.translation)
    }
}

impl Trace {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Trace, Error> {
        let bytes = std::fs::read(path)
            .map_err(|error| Error::in_file(path, Place::Whole, error.to_string()))?;
        Trace::from_bytes(&bytes, path)
    }

    /// Reads a trace from memory; the name appears in errors.
    pub fn from_bytes(bytes: &[u8], name: &Path) -> Result<Trace, Error> {
        let mut reader = Reader { bytes, at: 0, name };
        if reader.take::<8>("header")? != *HEADER {
            return Err(Error::in_file(
                name,
                Place::Byte(0),
                "not a trace: it does not begin with CTRACE1",
            ));
        }
        // A shape takes at least its two counts.
        let shapes = (0..reader.count("shapes", 8)?)
            .map(|_| reader.shape())
            .collect::<Result<Vec<_>, Error>>()?;
        let shape_of = (0..reader.count("bodies", 4)?)
            .map(|_| reader.index("shape of a body", shapes.len()))
            .collect::<Result<Vec<_>, Error>>()?;
        let frames = (0..reader.count("frames", shape_of.len() * 56)?)
            .map(|_| shape_of.iter().map(|_| reader.placement()).collect())
            .collect::<Result<Vec<_>, Error>>()?;
        reader.end()?;
        Ok(Trace {
            shapes,
            shape_of,
            frames,
        })
    }

    /// Writes the format to a file or any other sink. Every frame must have a placement for each body.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut writer = TraceWriter::new(out, &self.shapes, &self.shape_of, self.frames.len())?;
        for frame in &self.frames {
            writer.frame(frame)?;
        }
        writer.finish()
    }
}

/// Writes a trace frame by frame, for recordings that do not fit into memory.
#[derive(Debug)]
pub struct TraceWriter<W> {
    out: W,
    bodies: usize,
    /// Frames that were promised and not written yet.
    left: usize,
}

impl<W: Write> TraceWriter<W> {
    /// Writes all that comes before the frames.
    pub fn new(
        mut out: W,
        shapes: &[TraceShape],
        shape_of: &[u32],
        frames: usize,
    ) -> io::Result<TraceWriter<W>> {
        out.write_all(HEADER)?;
        write_count(&mut out, shapes.len())?;
        for shape in shapes {
            write_count(&mut out, shape.vertices.len())?;
            for vertex in &shape.vertices {
                write_numbers(&mut out, &vertex.to_array())?;
            }
            write_count(&mut out, shape.triangles.len())?;
            for corner in shape.triangles.as_flattened() {
                out.write_all(&corner.to_le_bytes())?;
            }
        }
        write_count(&mut out, shape_of.len())?;
        for shape in shape_of {
            out.write_all(&shape.to_le_bytes())?;
        }
        write_count(&mut out, frames)?;
        Ok(TraceWriter {
            out,
            bodies: shape_of.len(),
            left: frames,
        })
    }

    /// Writes the next frame: a placement for each body.
    pub fn frame(&mut self, placements: &[Placement]) -> io::Result<()> {
        if placements.len() != self.bodies {
            let message = format!(
                "a frame of {} placements for {} bodies",
                placements.len(),
                self.bodies
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        self.left = self.left.checked_sub(1).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "more frames than promised")
        })?;
        for placement in placements {
            write_numbers(&mut self.out, &placement.rotation.to_array())?;
            write_numbers(&mut self.out, &placement.translation.to_array())?;
        }
        Ok(())
    }

    /// Ends the trace; an error when frames are missing.
    pub fn finish(mut self) -> io::Result<()> {
        if self.left > 0 {
            let message = format!("{} frames are missing", self.left);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        self.out.flush()
    }
}

fn write_count(out: &mut impl Write, count: usize) -> io::Result<()> {
    let count = u32::try_from(count)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, "too many for 32 bits"))?;
    out.write_all(&count.to_le_bytes())
}

fn write_numbers(out: &mut impl Write, numbers: &[f64]) -> io::Result<()> {
    numbers
        .iter()
        .try_for_each(|number| out.write_all(&number.to_le_bytes()))
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    name: &'a Path,
}

impl Reader<'_> {
    fn error(&self, at: usize, message: String) -> Error {
        Error::in_file(self.name, Place::Byte(at as u64), message)
    }

    fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Error> {
        match self.bytes[self.at..].first_chunk::<N>() {
            Some(bytes) => {
                self.at += N;
                Ok(*bytes)
            }
            None => Err(self.error(self.at, format!("the file ends inside the {what}"))),
        }
    }

    /// A count of things of at least `size` bytes each, all of which must still fit into the file.
    fn count(&mut self, what: &str, size: usize) -> Result<u32, Error> {
        let at = self.at;
        let count = u32::from_le_bytes(self.take(what)?);
        let left = self.bytes.len() - self.at;
        match (count as usize).checked_mul(size) {
            Some(needed) if needed <= left && (size > 0 || count == 0) => Ok(count),
            _ => Err(self.error(at, format!("{count} {what} do not fit into the file"))),
        }
    }

    fn index(&mut self, what: &str, count: usize) -> Result<u32, Error> {
        let at = self.at;
        let index = u32::from_le_bytes(self.take(what)?);
        if (index as usize) < count {
            Ok(index)
        } else {
            Err(self.error(at, format!("{what}: index {index}, but there are {count}")))
        }
    }

    fn numbers<const N: usize>(&mut self, what: &str) -> Result<[f64; N], Error> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            let at = self.at;
            *number = f64::from_le_bytes(self.take(what)?);
            if !number.is_finite() {
                return Err(self.error(at, format!("{what}: {number} is not finite")));
            }
        }
        Ok(numbers)
    }

    fn shape(&mut self) -> Result<TraceShape, Error> {
        let vertices = (0..self.count("vertices", 24)?)
            .map(|_| self.numbers("vertex").map(Vec3::from_array))
            .collect::<Result<Vec<_>, Error>>()?;
        let triangles = (0..self.count("triangles", 12)?)
            .map(|_| {
                let mut corner = || self.index("corner of a triangle", vertices.len());
                Ok([corner()?, corner()?, corner()?])
            })
            .collect::<Result<Vec<_>, Error>>()?;
        Ok(TraceShape {
            vertices,
            triangles,
        })
    }

    fn placement(&mut self) -> Result<Placement, Error> {
        Ok(Placement {
            rotation: Quat::from_array(self.numbers("rotation")?),
            translation: Vec3::from_array(self.numbers("translation")?),
        })
    }

    fn end(&self) -> Result<(), Error> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            left => Err(self.error(self.at, format!("{left} bytes after the last frame"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Trace {
        let placement = |x: f64| Placement {
            rotation: Quat::from_rotation_z(x),
            translation: Vec3::new(x, -x, 0.5),
        };
        Trace {
            shapes: vec![TraceShape {
                vertices: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
                triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
            }],
            shape_of: vec![0, 0],
            frames: (0..3)
                .map(|f| vec![placement(f64::from(f)), placement(0.25)])
                .collect(),
        }
    }

    fn written(trace: &Trace) -> Vec<u8> {
        let mut bytes = Vec::new();
        trace.write(&mut bytes).unwrap();
        bytes
    }

    fn message(bytes: &[u8]) -> String {
        let read = Trace::from_bytes(bytes, Path::new("some.ctrace"));
        read.unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = written(&sample());
        assert_eq!(
            bytes.len(),
            8 + 4 + 4 + 96 + 4 + 48 + 4 + 8 + 4 + 3 * 2 * 56
        );
        assert_eq!(Trace::from_bytes(&bytes, Path::new("")).unwrap(), sample());
        let empty = Trace::default();
        assert_eq!(
            Trace::from_bytes(&written(&empty), Path::new("")).unwrap(),
            empty
        );
    }

    #[test]
    fn every_cut_is_an_error_that_names_a_byte() {
        let bytes = written(&sample());
        for end in 0..bytes.len() {
            let message = message(&bytes[..end]);
            assert!(
                message.contains("some.ctrace") && message.contains("byte"),
                "{message}"
            );
        }
        let mut longer = bytes;
        longer.push(7);
        assert!(message(&longer).contains("1 bytes after the last frame"));
    }

    #[test]
    fn wrong_numbers_are_refused_where_they_stand() {
        let good = written(&sample());
        let with = |at: usize, new: &[u8]| {
            let mut bytes = good.clone();
            bytes[at..at + new.len()].copy_from_slice(new);
            message(&bytes)
        };
        assert!(with(0, b"X").contains("CTRACE1"));
        assert!(with(8, &u32::MAX.to_le_bytes()).contains("4294967295 shapes do not fit"));
        assert!(with(16, &f64::NAN.to_le_bytes()).contains("vertex: NaN is not finite"));
        assert!(with(116, &9_u32.to_le_bytes()).contains("index 9, but there are 4"));
        assert!(with(168, &1_u32.to_le_bytes()).contains("shape of a body: index 1"));
    }

    #[test]
    fn a_frame_with_a_body_missing_is_not_written() {
        let mut trace = sample();
        trace.frames[1].pop();
        assert!(trace.write(&mut Vec::new()).is_err());
    }

    #[test]
    fn exactly_the_promised_frames_are_written() {
        let trace = sample();
        let writer = || TraceWriter::new(Vec::new(), &trace.shapes, &trace.shape_of, 1).unwrap();
        assert!(writer().finish().is_err());
        let mut full = writer();
        full.frame(&trace.frames[0]).unwrap();
        assert!(full.frame(&trace.frames[1]).is_err());
    }
}
