//! XML elements with their places.

use crate::error::{Error, Place};
use crate::math::Vec3;
use roxmltree::{Document, Node};
use std::path::Path;

/// The text of a file, parsed.
#[derive(Debug)]
pub(super) struct Source<'t> {
    document: Document<'t>,
    path: &'t Path,
}

impl<'t> Source<'t> {
    pub(super) fn new(text: &'t str, path: &'t Path) -> Result<Source<'t>, Error> {
        let document = Document::parse(text).map_err(|error| {
            let line = Place::Line(u64::from(error.pos().row));
            Error::in_file(path, line, format!("not well-formed XML: {error}"))
        })?;
        Ok(Source { document, path })
    }

    /// The outermost element, which must have that name.
    pub(super) fn root(&self, name: &str) -> Result<Element<'_, 't>, Error> {
        let root = Element {
            source: self,
            node: self.document.root_element(),
        };
        if root.name() == name {
            Ok(root)
        } else {
            Err(root.error(format!("expected <{name}>")))
        }
    }
}

/// An element.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element<'a, 't> {
    source: &'a Source<'t>,
    node: Node<'a, 't>,
}

impl<'a, 't> Element<'a, 't> {
    pub(super) fn name(&self) -> &'a str {
        self.node.tag_name().name()
    }

    /// Whether it is of the macro language, which has to be expanded before.
    pub(super) fn is_macro(&self) -> bool {
        let namespace = self.node.tag_name().namespace().unwrap_or_default();
        namespace.contains("xacro")
    }

    /// The elements in it.
    pub(super) fn children(&self) -> impl Iterator<Item = Element<'a, 't>> + use<'a, 't> {
        let source = self.source;
        let nodes = self.node.children().filter(Node::is_element);
        nodes.map(move |node| Element { source, node })
    }

    /// The first element in it of that name.
    pub(super) fn child(&self, name: &str) -> Option<Element<'a, 't>> {
        self.children().find(|child| child.name() == name)
    }

    /// The element in it of that name, or an error.
    pub(super) fn require_child(&self, name: &str) -> Result<Element<'a, 't>, Error> {
        let child = self.child(name);
        child.ok_or_else(|| self.error(format!("there is no <{name}> in it")))
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&'a str> {
        self.node.attribute(name)
    }

    pub(super) fn require(&self, name: &str) -> Result<&'a str, Error> {
        let value = self.attribute(name);
        value.ok_or_else(|| self.error(format!("the attribute {name} is missing")))
    }

    /// A number; a default one where the attribute is missing.
    pub(super) fn number(&self, name: &str, default: f64) -> Result<f64, Error> {
        match self.attribute(name) {
            Some(text) => self.parse(name, text),
            None => Ok(default),
        }
    }

    /// A number that must be there.
    pub(super) fn require_number(&self, name: &str) -> Result<f64, Error> {
        self.parse(name, self.require(name)?)
    }

    /// Three numbers; default ones where the attribute is missing.
    pub(super) fn vector(&self, name: &str, default: Vec3) -> Result<Vec3, Error> {
        match self.attribute(name) {
            Some(text) => self.parse_vector(name, text),
            None => Ok(default),
        }
    }

    /// Three numbers that must be there.
    pub(super) fn require_vector(&self, name: &str) -> Result<Vec3, Error> {
        self.parse_vector(name, self.require(name)?)
    }

    fn parse(&self, name: &str, text: &str) -> Result<f64, Error> {
        let number = text.trim().parse().ok();
        let number = number.filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| self.error(format!("{name}=\"{text}\" is not a finite number")))
    }

    fn parse_vector(&self, name: &str, text: &str) -> Result<Vec3, Error> {
        let numbers: Result<Vec<f64>, Error> = text
            .split_whitespace()
            .map(|word| self.parse(name, word))
            .collect();
        let three = <[f64; 3]>::try_from(numbers?).ok();
        let three = three.map(Vec3::from_array);
        three.ok_or_else(|| self.error(format!("{name}=\"{text}\" is not three numbers")))
    }

    /// The line that it begins on.
    pub(super) fn line(&self) -> u32 {
        let start = self.node.range().start;
        self.node.document().text_pos_at(start).row
    }

    /// An error here.
    pub(super) fn error(&self, message: impl std::fmt::Display) -> Error {
        let line = self.line();
        let name = self.attribute("name");
        let name = name.map_or_else(String::new, |name| format!(" \"{name}\""));
        Error::in_file(
            self.source.path,
            Place::Line(u64::from(line)),
            format!("<{}>{name}: {message}", self.name()),
        )
    }

    /// An error here because of another one.
    pub(super) fn wrap<T>(&self, outcome: Result<T, Error>) -> Result<T, Error> {
        outcome.map_err(|error| self.error(error))
    }
}
