//! A table of numbers: as text for people, as CSV and JSON for programs.

use serde_json::{Map, Value, json};

/// Rows of numbers under named columns, perhaps with a word before each row.
#[derive(Debug, Default)]
pub(super) struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<f64>>,
    /// What the words are, and one for each row.
    words: Option<(String, Vec<String>)>,
}

impl Table {
    pub(super) fn new(columns: impl IntoIterator<Item = impl Into<String>>) -> Table {
        Table {
            columns: columns.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
            words: None,
        }
    }

    /// One with a word before each row.
    pub(super) fn with_words(
        what: &str,
        columns: impl IntoIterator<Item = impl Into<String>>,
    ) -> Table {
        Table {
            words: Some((what.to_owned(), Vec::new())),
            ..Table::new(columns)
        }
    }

    /// Adds a row with its word.
    pub(super) fn push_with(&mut self, word: &str, row: Vec<f64>) {
        if let Some((_, words)) = &mut self.words {
            words.push(word.to_owned());
        }
        self.push(row);
    }

    /// The cells of the heading and of all rows.
    fn cells(&self) -> impl Iterator<Item = Vec<String>> {
        let words = self.words.as_ref();
        let before = move |place: usize| words.map(|(_, words)| words[place].clone());
        let heading = words.map(|(what, _)| what.clone());
        let heading = heading.into_iter().chain(self.columns.iter().cloned());
        let rows = self.rows.iter().enumerate().map(move |(place, row)| {
            let numbers = row.iter().map(|number| rounded(*number));
            before(place).into_iter().chain(numbers).collect()
        });
        std::iter::once(heading.collect()).chain(rows)
    }

    /// Adds a row with a number for each column.
    pub(super) fn push(&mut self, row: Vec<f64>) {
        assert_eq!(
            row.len(),
            self.columns.len(),
            "a row has a number for each column"
        );
        self.rows.push(row);
    }

    /// The names of the columns.
    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// One column, with the first beside it: the points of a curve.
    pub(super) fn curve(&self, column: usize) -> Vec<(f64, f64)> {
        self.rows.iter().map(|row| (row[0], row[column])).collect()
    }

    pub(super) fn to_text(&self) -> String {
        let mut widths = Vec::new();
        let mut text = String::new();
        for (number, cells) in self.cells().enumerate() {
            if number == 0 {
                widths = cells.iter().map(|cell| cell.len().max(8) + 2).collect();
            }
            let padded = cells.iter().zip(&widths);
            text.extend(padded.map(|(cell, width)| format!("{cell:>width$}")));
            text.push('\n');
        }
        text
    }

    pub(super) fn to_csv(&self) -> String {
        self.cells().map(|cells| cells.join(",") + "\n").collect()
    }

    pub(super) fn to_json(&self) -> Value {
        let row = |(place, row): (usize, &Vec<f64>)| {
            let word = self.words.as_ref();
            let word = word.map(|(what, words)| (what.clone(), json!(words[place])));
            let cells = self.columns.iter().zip(row);
            let cells = cells.map(|(column, number)| (column.clone(), json!(number)));
            Value::Object(
                word.into_iter()
                    .chain(cells)
                    .collect::<Map<String, Value>>(),
            )
        };
        Value::Array(self.rows.iter().enumerate().map(row).collect())
    }
}

/// Whole numbers as they are, others to one place, nothing for what was not measured.
fn rounded(number: f64) -> String {
    if number.is_nan() {
        String::new()
    } else if number.fract() == 0.0 {
        format!("{number}")
    } else {
        format!("{number:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_numbers_in_three_forms() {
        let mut table = Table::new(["vertices", "ns"]);
        table.push(vec![20.0, 0.25]);
        table.push(vec![20_000.0, 1234.56]);
        assert_eq!(table.to_csv(), "vertices,ns\n20,0.2\n20000,1234.6\n");
        assert_eq!(
            table.to_json(),
            json!([{"vertices": 20.0, "ns": 0.25}, {"vertices": 20_000.0, "ns": 1234.56}])
        );
        assert_eq!(
            table.to_text().lines().collect::<Vec<_>>(),
            [
                "  vertices        ns",
                "        20       0.2",
                "     20000    1234.6"
            ]
        );
        assert_eq!(table.curve(1), [(20.0, 0.25), (20_000.0, 1234.56)]);
    }

    #[test]
    fn words_come_first_and_gaps_are_empty() {
        let mut table = Table::with_words("scene", ["bodies", "us"]);
        table.push_with("dice", vec![100.0, f64::NAN]);
        assert_eq!(table.to_csv(), "scene,bodies,us\ndice,100,\n");
        assert_eq!(
            table.to_json(),
            json!([{"scene": "dice", "bodies": 100.0, "us": null}])
        );
    }
}
