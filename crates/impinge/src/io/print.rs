//! Numbers, names and lines of text on their way out.

use super::Model;
use std::fmt::{self, Write};

const STRINGS_TAKE_ALL: &str = "writing to a string does not fail";

/// Appends formatted text.
pub(super) fn push(text: &mut String, part: fmt::Arguments<'_>) {
    text.write_fmt(part).expect(STRINGS_TAKE_ALL);
}

/// Appends a word and then numbers, as one line.
pub(super) fn push_line(text: &mut String, word: &str, numbers: &[impl fmt::Display]) {
    text.push_str(word);
    for number in numbers {
        push(text, format_args!(" {number}"));
    }
    text.push('\n');
}

/// A name as it can stand in a line of text: without line ends and other control characters, and no blanks around it.
pub(super) fn one_line(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    clean.trim().to_owned()
}

/// Visits all faces of all objects, as indices of all vertices.
pub(super) fn for_each_face(model: &Model, mut visit: impl FnMut(&[u64])) {
    let mut first = 0;
    let mut corners = Vec::new();
    for mesh in model.meshes() {
        for face in mesh.faces() {
            corners.clear();
            corners.extend(face.iter().map(|i| u64::from(*i) + first));
            visit(&corners);
        }
        first += mesh.vertices().len() as u64;
    }
}

/// Displays with the fewest digits that parse back to the same bits, and with an exponent where that is shorter to read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shortest(pub(super) f64);

impl fmt::Display for Shortest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-5..1e16).contains(&size) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::scanner::parse_number;
    use proptest::prelude::*;

    #[test]
    fn exponents_stand_where_they_are_shorter() {
        assert_eq!(Shortest(1e16).to_string(), "1e16");
        assert_eq!(Shortest(-0.1).to_string(), "-0.1");
        assert_eq!(Shortest(-0.0).to_string(), "-0");
    }

    proptest! {
        #[test]
        fn the_shortest_digits_come_back(bits in any::<u64>()) {
            let x = f64::from_bits(bits);
            prop_assume!(x.is_finite());
            let text = Shortest(x).to_string();
            prop_assert_eq!(parse_number(text.as_bytes()).map(f64::to_bits), Some(bits));
            prop_assert!(text.len() <= 25);
        }
    }
}
