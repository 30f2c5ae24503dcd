//! Which links may meet, by an SRDF file.

use super::element::Source;
use crate::articulated::LinkageBuilder;
use crate::error::Error;
use std::path::Path;

/// Lets links meet that the text tells.
pub(super) fn allow(builder: &mut LinkageBuilder, text: &str, path: &Path) -> Result<(), Error> {
    let source = Source::new(text, path)?;
    for element in source.root("robot")?.children() {
        match element.name() {
            "disable_collisions" => {
                let names = [element.require("link1")?, element.require("link2")?];
                if let [Some(a), Some(b)] = names.map(|name| builder.link_named(name)) {
                    element.wrap(builder.allow(a, b))?;
                }
            }
            // To pass over these would change which collisions are found.
            "enable_collisions" | "disable_default_collisions" => {
                return Err(element.error("it is not understood, only disable_collisions is"));
            }
            _ => {}
        }
    }
    Ok(())
}
