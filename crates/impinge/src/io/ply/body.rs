//! The data of a PLY file, number by number.

use super::header::{Encoding, Header, Kind};
use crate::error::{Error, Place};
use crate::io::cursor::{ByteOrder, Cursor};
use crate::io::scanner::{Scanner, Syntax};
use std::path::Path;

/// A position in the data.
#[derive(Debug)]
pub(super) struct Body<'a> {
    name: &'a Path,
    data: Data<'a>,
}

#[derive(Debug)]
enum Data<'a> {
    Text(Scanner<'a>),
    Binary(Cursor<'a>, ByteOrder),
}

impl<'a> Body<'a> {
    /// The start of the data after a header.
    pub(super) fn new(header: &Header, bytes: &'a [u8], name: &'a Path) -> Body<'a> {
        let data = match header.encoding {
            Encoding::Text => {
                let scanner = Scanner::new(&bytes[header.length..], name, Syntax::Plain);
                Data::Text(scanner.starting_at(header.lines + 1))
            }
            Encoding::Binary(order) => Data::Binary(Cursor::new(bytes, header.length, name), order),
        };
        Body { name, data }
    }

    pub(super) fn place(&self) -> Place {
        match &self.data {
            Data::Text(scanner) => scanner.place(),
            Data::Binary(cursor, _) => cursor.place(),
        }
    }

    pub(super) fn error_at(&self, place: Place, message: impl Into<String>) -> Error {
        Error::in_file(self.name, place, message)
    }

    pub(super) fn is_at_end(&self) -> bool {
        match &self.data {
            Data::Text(scanner) => scanner.is_at_end(),
            Data::Binary(cursor, _) => cursor.remaining() == 0,
        }
    }

    /// Steps over numbers.
    pub(super) fn skip(&mut self, kind: Kind, count: usize) -> Result<(), Error> {
        match &mut self.data {
            Data::Binary(cursor, _) => cursor.skip(count, kind.size()),
            Data::Text(scanner) => {
                for _ in 0..count {
                    if scanner.word_anywhere().is_none() {
                        return Err(scanner.error("the file ends before the data it declares"));
                    }
                }
                Ok(())
            }
        }
    }

    /// A finite number.
    pub(super) fn coordinate(&mut self, kind: Kind) -> Result<f64, Error> {
        let (value, place) = self.number(kind, "a coordinate of a vertex")?;
        if value.is_finite() {
            return Ok(value);
        }
        Err(self.error_at(place, "a coordinate of a vertex is not finite"))
    }

    /// The length of a list. It may be a lie, and then the attempt to read the list fails.
    pub(super) fn length(&mut self, kind: Kind) -> Result<usize, Error> {
        let (value, place) = self.number(kind, "the length of a list")?;
        match to_index(value) {
            Some(length) => Ok(length as usize),
            None => Err(self.error_at(place, format!("the length of a list is {value}"))),
        }
    }

    /// The index of a vertex, and where it is.
    pub(super) fn index(&mut self, kind: Kind) -> Result<(u32, Place), Error> {
        let (value, place) = self.number(kind, "a corner of a face")?;
        match to_index(value) {
            Some(index) => Ok((index, place)),
            None => Err(self.error_at(place, format!("a face refers to vertex {value}"))),
        }
    }

    /// The index of a vertex, or nothing for the -1 that ends a strip.
    pub(super) fn index_or_end(&mut self, kind: Kind) -> Result<Option<u32>, Error> {
        let (value, place) = self.number(kind, "a corner of a strip")?;
        match to_index(value) {
            None if value < 0.0 => Ok(None),
            None => Err(self.error_at(place, format!("a strip refers to vertex {value}"))),
            index => Ok(index),
        }
    }

    /// The next number, and where it is. Each type is a subset of `f64`.
    fn number(&mut self, kind: Kind, what: &str) -> Result<(f64, Place), Error> {
        let (cursor, order) = match &mut self.data {
            Data::Text(scanner) => {
                let value = scanner.number_anywhere(what)?;
                return Ok((value, scanner.place()));
            }
            Data::Binary(cursor, order) => (cursor, *order),
        };
        let place = cursor.place();
        let value = match kind {
            Kind::I8 => i8::from_le_bytes(cursor.take(order)?).into(),
            Kind::U8 => u8::from_le_bytes(cursor.take(order)?).into(),
            Kind::I16 => i16::from_le_bytes(cursor.take(order)?).into(),
            Kind::U16 => u16::from_le_bytes(cursor.take(order)?).into(),
            Kind::I32 => i32::from_le_bytes(cursor.take(order)?).into(),
            Kind::U32 => u32::from_le_bytes(cursor.take(order)?).into(),
            Kind::F32 => cursor.f32(order)?.into(),
            Kind::F64 => f64::from_le_bytes(cursor.take(order)?),
        };
        Ok((value, place))
    }
}

/// A number that is a 32-bit index or count.
fn to_index(value: f64) -> Option<u32> {
    let index = value as u32;
    #[expect(clippy::float_cmp, reason = "an index is exactly an integer")]
    let is_index = f64::from(index) == value;
    is_index.then_some(index)
}
