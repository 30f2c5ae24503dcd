//! A table of numbers: as text for people, as CSV and JSON for programs.

use serde_json::{Map, Value, json};

/// Rows of numbers under named columns.
#[derive(Debug, Default)]
pub(super) struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    pub(super) fn new(columns: impl IntoIterator<Item = impl Into<String>>) -> Table {
        Table {
            columns: columns.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
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
        let widths: Vec<usize> = self.columns.iter().map(|c| c.len().max(8) + 2).collect();
        let line = |cells: Vec<String>| {
            let padded = cells.iter().zip(&widths);
            let padded: String = padded
                .map(|(cell, width)| format!("{cell:>width$}"))
                .collect();
            padded + "\n"
        };
        let mut text = line(self.columns.clone());
        for row in &self.rows {
            text += &line(row.iter().map(|number| rounded(*number)).collect());
        }
        text
    }

    pub(super) fn to_csv(&self) -> String {
        let mut text = self.columns.join(",") + "\n";
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|number| rounded(*number)).collect();
            text += &(cells.join(",") + "\n");
        }
        text
    }

    pub(super) fn to_json(&self) -> Value {
        let row = |row: &Vec<f64>| {
            let cells = self.columns.iter().zip(row);
            let cells: Map<String, Value> = cells
                .map(|(column, number)| (column.clone(), json!(number)))
                .collect();
            Value::Object(cells)
        };
        Value::Array(self.rows.iter().map(row).collect())
    }
}

/// Whole numbers as they are, others to one place.
fn rounded(number: f64) -> String {
    if number.fract() == 0.0 {
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
}
