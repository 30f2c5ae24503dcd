//! Words and lines of a text file, with the number of the line for errors.
//!
//! Lines end with `\n`, `\r\n` or `\r`. Words are separated by blanks. Text is bytes: names may be in any encoding, and
//! a stray byte does no harm in a comment. A byte order mark at the start is skipped.

use crate::error::{Error, Place};
use crate::math::Vec3;
use std::path::Path;

/// What a format's text knows beyond words and lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    /// Nothing.
    Plain,
    /// A word that starts with `#` begins a comment, up to the end of the line.
    Comments,
    /// The same, and a backslash at the end of a line joins it to the next.
    CommentsAndContinuation,
}

/// A position in a text.
#[derive(Debug, Clone)]
pub(super) struct Scanner<'a> {
    name: &'a Path,
    syntax: Syntax,
    rest: &'a [u8],
    line: u64,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8], name: &'a Path, syntax: Syntax) -> Scanner<'a> {
        Scanner {
            name,
            syntax,
            rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
            line: 1,
        }
    }

    /// A scanner for text that starts at a later line of a file.
    pub(super) fn starting_at(self, line: u64) -> Scanner<'a> {
        Scanner { line, ..self }
    }

    pub(super) fn place(&self) -> Place {
        Place::Line(self.line)
    }

    /// An error at the present line.
    pub(super) fn error(&self, message: impl Into<String>) -> Error {
        Error::in_file(self.name, self.place(), message)
    }

    /// The next word of this line, if there is one.
    pub(super) fn word(&mut self) -> Option<&'a [u8]> {
        loop {
            self.skip_blanks();
            match self.rest.first()? {
                b'\n' | b'\r' => return None,
                b'#' if self.syntax != Syntax::Plain => {
                    self.rest = &self.rest[line_length(self.rest)..];
                    return None;
                }
                b'\\' if self.is_continuation(self.rest) => self.end_line(),
                _ => return Some(self.take_word()),
            }
        }
    }

    /// The next word of this line or a later one.
    pub(super) fn word_anywhere(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some(word) = self.word() {
                return Some(word);
            }
            if self.rest.is_empty() {
                return None;
            }
            self.end_line();
        }
    }

    /// What is left of this line, comments included, without blanks around it.
    pub(super) fn rest_of_line(&mut self) -> &'a [u8] {
        let (line, rest) = self.rest.split_at(line_length(self.rest));
        self.rest = rest;
        line.trim_ascii()
    }

    /// Skips to the start of the next line.
    pub(super) fn end_line(&mut self) {
        self.rest = &self.rest[line_length(self.rest)..];
        match self.rest {
            [b'\r', b'\n', rest @ ..] | [b'\r' | b'\n', rest @ ..] => {
                self.rest = rest;
                self.line += 1;
            }
            _ => {}
        }
    }

    /// A finite number in the rest of this line.
    pub(super) fn number(&mut self, what: &str) -> Result<f64, Error> {
        let word = self.word();
        self.finite(word, what)
    }

    /// A finite number in this line or a later one.
    pub(super) fn number_anywhere(&mut self, what: &str) -> Result<f64, Error> {
        let word = self.word_anywhere();
        self.finite(word, what)
    }

    /// Three finite numbers in this line or later ones.
    pub(super) fn point_anywhere(&mut self, what: &str) -> Result<Vec3, Error> {
        let x = self.number_anywhere(what)?;
        let y = self.number_anywhere(what)?;
        let z = self.number_anywhere(what)?;
        Ok(Vec3::new(x, y, z))
    }

    fn finite(&self, word: Option<&[u8]>, what: &str) -> Result<f64, Error> {
        let word = word.ok_or_else(|| self.error(format!("{what} is missing")))?;
        let value = parse_number(word)
            .ok_or_else(|| self.error(format!("{what} is not a number: {}", quote(word))))?;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(self.error(format!("{what} is not finite: {}", quote(word))))
        }
    }

    /// A count or an index in this line or a later one.
    pub(super) fn integer_anywhere(&mut self, what: &str) -> Result<u64, Error> {
        let word = self
            .word_anywhere()
            .ok_or_else(|| self.error(format!("{what} is missing")))?;
        self.integer(word, what)
    }

    /// A word as a count or an index.
    pub(super) fn integer(&self, word: &[u8], what: &str) -> Result<u64, Error> {
        std::str::from_utf8(word)
            .ok()
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| self.error(format!("{what} is not a count: {}", quote(word))))
    }

    /// Whether nothing is left but blanks, line ends and comments.
    pub(super) fn is_at_end(&self) -> bool {
        self.clone().word_anywhere().is_none()
    }

    fn skip_blanks(&mut self) {
        let blanks = self.rest.iter().take_while(|b| is_blank(**b)).count();
        self.rest = &self.rest[blanks..];
    }

    fn take_word(&mut self) -> &'a [u8] {
        let is_end = |i: usize| {
            let byte = self.rest[i];
            is_blank(byte)
                || is_line_end(byte)
                || (byte == b'\\' && i > 0 && self.is_continuation(&self.rest[i..]))
        };
        let length = (0..self.rest.len())
            .find(|i| is_end(*i))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        word
    }

    /// Whether a text that starts with a backslash has nothing else on its line.
    fn is_continuation(&self, text: &[u8]) -> bool {
        self.syntax == Syntax::CommentsAndContinuation
            && text[1..]
                .iter()
                .find(|b| !is_blank(**b))
                .is_none_or(|b| is_line_end(*b))
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn line_length(text: &[u8]) -> usize {
    text.iter()
        .position(|b| is_line_end(*b))
        .unwrap_or(text.len())
}

/// The `f64` nearest to a decimal number. Infinities and NaN pass; the caller knows where to say no.
pub(super) fn parse_number(word: &[u8]) -> Option<f64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// A word for a message: readable, and not longer than a message should be.
pub(super) fn quote(word: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(&word[..word.len().min(LONGEST)]);
    let more = if word.len() > LONGEST { "..." } else { "" };
    format!("'{}{more}'", text.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, syntax: Syntax) -> Vec<(u64, String)> {
        let mut scanner = Scanner::new(text.as_bytes(), "t".as_ref(), syntax);
        std::iter::from_fn(|| {
            let word = scanner.word_anywhere()?;
            Some((scanner.line, String::from_utf8_lossy(word).into_owned()))
        })
        .collect()
    }

    fn expected(list: &[(u64, &str)]) -> Vec<(u64, String)> {
        list.iter().map(|(n, w)| (*n, (*w).to_owned())).collect()
    }

    #[test]
    fn numbers_of_all_spellings() {
        let spellings = [
            ("1", 1.0),
            ("+2.", 2.0),
            ("-.5", -0.5),
            ("3.1E+2", 310.0),
            ("1e-2", 0.01),
            ("007", 7.0),
        ];
        for (text, value) in spellings {
            assert_eq!(parse_number(text.as_bytes()), Some(value));
        }
        for text in ["", "1,5", "0x10", "1.0f", "3.1+e2", "- 1", "\u{ff}"] {
            assert_eq!(parse_number(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn lines_end_in_three_ways() {
        assert_eq!(
            words("a b\r\nc\rd\n\n e", Syntax::Plain),
            expected(&[(1, "a"), (1, "b"), (2, "c"), (3, "d"), (5, "e")])
        );
    }

    #[test]
    fn comments_start_at_words() {
        assert_eq!(
            words("a#b #c \\\nd", Syntax::CommentsAndContinuation),
            expected(&[(1, "a#b"), (2, "d")])
        );
        assert_eq!(words("#a", Syntax::Plain), expected(&[(1, "#a")]));
    }

    #[test]
    fn a_backslash_continues_a_line_only_at_its_end() {
        let mut scanner = Scanner::new(
            b"f 1 \\ \r\n 2\\\n3\\4\\",
            "t".as_ref(),
            Syntax::CommentsAndContinuation,
        );
        let line: Vec<&[u8]> = std::iter::from_fn(|| scanner.word()).collect();
        assert_eq!(line, [&b"f"[..], b"1", b"2", b"3\\4"]);
        assert_eq!(scanner.line, 3);
        assert_eq!(
            words("a \\\nb", Syntax::Comments),
            expected(&[(1, "a"), (1, "\\"), (2, "b")])
        );
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert_eq!(words("\u{feff}a", Syntax::Plain), expected(&[(1, "a")]));
    }
}
