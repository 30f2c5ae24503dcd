//! JSON objects, field by field: what is missing, of the wrong kind or unknown is an error that names it.

use serde_json::{Map, Value};

/// The fields of an object, taken one by one. Fields that nobody took are errors: a misspelt option must not be ignored.
#[derive(Debug)]
pub(super) struct Fields<'v> {
    place: String,
    object: &'v Map<String, Value>,
    taken: Vec<&'static str>,
}

impl<'v> Fields<'v> {
    /// The fields of a value that must be an object. The place is its path from the line, empty for the line itself.
    pub(super) fn of(place: &str, value: &'v Value) -> Result<Fields<'v>, String> {
        let Value::Object(object) = value else {
            return Err(expected(place, "an object"));
        };
        Ok(Fields {
            place: place.to_owned(),
            object,
            taken: Vec::new(),
        })
    }

    /// A field; `None` when it is absent or null.
    pub(super) fn take(&mut self, key: &'static str) -> Option<&'v Value> {
        self.taken.push(key);
        self.object.get(key).filter(|value| !value.is_null())
    }

    /// A field that must be there.
    pub(super) fn require(&mut self, key: &'static str) -> Result<&'v Value, String> {
        self.take(key)
            .ok_or_else(|| in_place(&self.place, &format!("field \"{key}\" is missing")))
    }

    /// The path of a field.
    pub(super) fn path(&self, key: &str) -> String {
        if self.place.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.place)
        }
    }

    /// An error if there is a field that was not taken.
    pub(super) fn finish(self) -> Result<(), String> {
        let unknown = self
            .object
            .keys()
            .find(|key| !self.taken.contains(&key.as_str()));
        match unknown {
            None => Ok(()),
            Some(key) => {
                let known = self.taken.join(", ");
                let message = format!("unknown field \"{key}\", expected some of: {known}");
                Err(in_place(&self.place, &message))
            }
        }
    }
}

/// A number.
pub(super) fn number(place: &str, value: &Value) -> Result<f64, String> {
    value.as_f64().ok_or_else(|| expected(place, "a number"))
}

/// Exactly `N` numbers.
pub(super) fn numbers<const N: usize>(place: &str, value: &Value) -> Result<[f64; N], String> {
    let all: Option<Vec<f64>> = value
        .as_array()
        .and_then(|array| array.iter().map(Value::as_f64).collect());
    all.and_then(|all| all.try_into().ok())
        .ok_or_else(|| expected(place, &format!("a list of {N} numbers")))
}

/// A text.
pub(super) fn text<'v>(place: &str, value: &'v Value) -> Result<&'v str, String> {
    value.as_str().ok_or_else(|| expected(place, "a text"))
}

/// A list, each element read by `read` with its path.
pub(super) fn list<T>(
    place: &str,
    value: &Value,
    read: impl Fn(&str, &Value) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let array = value.as_array().ok_or_else(|| expected(place, "a list"))?;
    let elements = array.iter().enumerate();
    elements
        .map(|(i, element)| read(&format!("{place}[{i}]"), element))
        .collect()
}

/// A message about what should have been there.
pub(super) fn expected(place: &str, what: &str) -> String {
    in_place(place, &format!("expected {what}"))
}

/// A message with the path of what it is about.
pub(super) fn in_place(place: &str, message: &str) -> String {
    if place.is_empty() {
        message.to_owned()
    } else {
        format!("{place}: {message}")
    }
}
