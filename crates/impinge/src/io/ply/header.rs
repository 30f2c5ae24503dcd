//! The header of a PLY file: what elements there are, and of what numbers each is made.

use crate::error::{Error, Place};
use crate::io::cursor::ByteOrder;
use crate::io::scanner::{Scanner, Syntax, quote};
use std::path::Path;

/// How the data is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    Binary(ByteOrder),
}

/// A type of number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn of_name(name: &[u8]) -> Option<Kind> {
        match name {
            b"char" | b"int8" => Some(Kind::I8),
            b"uchar" | b"uint8" => Some(Kind::U8),
            b"short" | b"int16" => Some(Kind::I16),
            b"ushort" | b"uint16" => Some(Kind::U16),
            b"int" | b"int32" => Some(Kind::I32),
            b"uint" | b"uint32" => Some(Kind::U32),
            b"float" | b"float32" => Some(Kind::F32),
            b"double" | b"float64" => Some(Kind::F64),
            _ => None,
        }
    }

    /// Bytes of a number in binary.
    pub(super) fn size(self) -> usize {
        match self {
            Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 => 4,
            Kind::F64 => 8,
        }
    }
}

/// One number, or a list of them, in an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Property {
    Scalar {
        name: String,
        kind: Kind,
    },
    List {
        name: String,
        length: Kind,
        kind: Kind,
    },
}

/// A table of things that have the same properties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) name: String,
    /// As declared.
    pub(super) count: u64,
    /// Where it is declared.
    pub(super) place: Place,
    pub(super) properties: Vec<Property>,
}

impl Element {
    /// The place of a property that is one number.
    pub(super) fn scalar(&self, wanted: &str) -> Option<usize> {
        self.properties
            .iter()
            .position(|p| matches!(p, Property::Scalar { name, .. } if name == wanted))
    }

    /// The place of a property that is a list.
    pub(super) fn list(&self, wanted: &str) -> Option<usize> {
        self.properties
            .iter()
            .position(|p| matches!(p, Property::List { name, .. } if name == wanted))
    }
}

/// All that the header says, and where it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// The byte at which the data starts.
    pub(super) length: usize,
    /// The line at which it starts.
    pub(super) lines: u64,
}

impl Header {
    pub(super) fn read(bytes: &[u8], name: &Path) -> Result<Header, Error> {
        let mut lines = Lines::new(bytes, name);
        let mut header = Header {
            encoding: Encoding::Text,
            elements: Vec::new(),
            length: 0,
            lines: 0,
        };
        let mut has_format = false;
        let mut first = lines.next()?;
        if first.word() != Some(b"ply") {
            return Err(first.error("the first line is not 'ply'"));
        }
        loop {
            let mut line = lines.next()?;
            match line.word().unwrap_or_default() {
                b"comment" | b"obj_info" | b"" => {}
                b"format" => {
                    header.encoding = read_encoding(&mut line)?;
                    has_format = true;
                }
                b"element" => header.elements.push(read_element(&mut line)?),
                b"property" => {
                    let property = read_property(&mut line)?;
                    let element = header
                        .elements
                        .last_mut()
                        .ok_or_else(|| line.error("a property before any element"))?;
                    element.properties.push(property);
                }
                b"end_header" if !has_format => {
                    return Err(line.error("the header has no line 'format'"));
                }
                b"end_header" => break,
                word => return Err(line.error(format!("unknown header line {}", quote(word)))),
            }
        }
        header.length = lines.position;
        header.lines = lines.number;
        Ok(header)
    }
}

/// The lines of the header. Binary data follows the last one at once, so the file's own line end counts: after a lone
/// `\r`, a byte that happens to be `\n` belongs to the data.
struct Lines<'a> {
    bytes: &'a [u8],
    name: &'a Path,
    position: usize,
    /// Lines so far.
    number: u64,
    end: &'static [u8],
}

impl<'a> Lines<'a> {
    fn new(bytes: &'a [u8], name: &'a Path) -> Lines<'a> {
        let first = bytes.iter().position(|b| matches!(b, b'\n' | b'\r'));
        let end: &[u8] = match first.map(|at| &bytes[at..]) {
            Some([b'\r', b'\n', ..]) => b"\r\n",
            Some([b'\r', ..]) => b"\r",
            _ => b"\n",
        };
        Lines {
            bytes,
            name,
            position: 0,
            number: 0,
            end,
        }
    }

    fn next(&mut self) -> Result<Scanner<'a>, Error> {
        let rest = &self.bytes[self.position..];
        let last = self.end[self.end.len() - 1];
        let Some(length) = rest.iter().position(|b| *b == last) else {
            let place = Place::Line(self.number + 1);
            return Err(Error::in_file(self.name, place, "the header does not end"));
        };
        self.position += length + 1;
        self.number += 1;
        let scanner = Scanner::new(&rest[..length], self.name, Syntax::Plain);
        Ok(scanner.starting_at(self.number))
    }
}

fn read_encoding(line: &mut Scanner<'_>) -> Result<Encoding, Error> {
    match line.word().unwrap_or_default() {
        b"ascii" => Ok(Encoding::Text),
        b"binary_little_endian" => Ok(Encoding::Binary(ByteOrder::Little)),
        b"binary_big_endian" => Ok(Encoding::Binary(ByteOrder::Big)),
        word => Err(line.error(format!("unknown format {}", quote(word)))),
    }
}

fn read_element(line: &mut Scanner<'_>) -> Result<Element, Error> {
    let name = line
        .word()
        .ok_or_else(|| line.error("the name of the element is missing"))?;
    let count = line
        .word()
        .ok_or_else(|| line.error("the number of elements is missing"))?;
    Ok(Element {
        name: String::from_utf8_lossy(name).into_owned(),
        count: line.integer(count, "the number of elements")?,
        place: line.place(),
        properties: Vec::new(),
    })
}

fn read_property(line: &mut Scanner<'_>) -> Result<Property, Error> {
    let first = line.word().unwrap_or_default();
    if first == b"list" {
        let length = line.word().unwrap_or_default();
        let length = kind(line, length)?;
        if matches!(length, Kind::F32 | Kind::F64) {
            return Err(line.error("the length of a list must be of an integer type"));
        }
        let item = line.word().unwrap_or_default();
        let kind = kind(line, item)?;
        let name = property_name(line)?;
        return Ok(Property::List { name, length, kind });
    }
    let kind = kind(line, first)?;
    let name = property_name(line)?;
    Ok(Property::Scalar { name, kind })
}

fn kind(line: &Scanner<'_>, word: &[u8]) -> Result<Kind, Error> {
    Kind::of_name(word).ok_or_else(|| line.error(format!("unknown type {}", quote(word))))
}

fn property_name(line: &mut Scanner<'_>) -> Result<String, Error> {
    let name = line
        .word()
        .ok_or_else(|| line.error("the name of the property is missing"))?;
    Ok(String::from_utf8_lossy(name).into_owned())
}
