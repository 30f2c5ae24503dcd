//! Numbers of a binary file, with the byte for errors.

use crate::error::{Error, Place};
use std::path::Path;

/// The order of the bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// A position in binary data.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    name: &'a Path,
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at some byte of a file.
    pub(super) fn new(bytes: &'a [u8], position: usize, name: &'a Path) -> Cursor<'a> {
        Cursor {
            name,
            bytes,
            position,
        }
    }

    pub(super) fn place(&self) -> Place {
        Place::Byte(self.position as u64)
    }

    /// An error at the present byte.
    pub(super) fn error(&self, message: impl Into<String>) -> Error {
        Error::in_file(self.name, self.place(), message)
    }

    /// How many bytes are left.
    pub(super) fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// Moves over `count` items of `size` bytes.
    pub(super) fn skip(&mut self, count: usize, size: usize) -> Result<(), Error> {
        match count.checked_mul(size) {
            Some(length) if length <= self.remaining() => {
                self.position += length;
                Ok(())
            }
            Some(_) | None => Err(self.ends_early()),
        }
    }

    /// The next `N` bytes, the lowest of the number first.
    pub(super) fn take<const N: usize>(&mut self, order: ByteOrder) -> Result<[u8; N], Error> {
        let next = self.bytes[self.position..].first_chunk::<N>();
        let mut bytes = *next.ok_or_else(|| self.ends_early())?;
        self.position += N;
        if order == ByteOrder::Big {
            bytes.reverse();
        }
        Ok(bytes)
    }

    /// The next single-precision number.
    pub(super) fn f32(&mut self, order: ByteOrder) -> Result<f32, Error> {
        self.take(order).map(f32::from_le_bytes)
    }

    fn ends_early(&self) -> Error {
        self.error("the file ends before the data it declares")
    }
}
