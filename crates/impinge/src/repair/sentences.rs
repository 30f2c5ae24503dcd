//! Reports in words.
//!
//! A headline that says whether all is well, the facts, then a line for each finding: how many, what, where, and what
//! became of it. Defects come before remarks.

use super::report::{Action, Change, Convexity, Defect, Facts, Finding, Report, Search, Site};
use std::fmt;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.headline())?;
        write!(f, "{}", self.facts)?;
        let (remarks, defects): (Vec<&Finding>, Vec<&Finding>) = self
            .findings
            .iter()
            .partition(|finding| finding.kind.is_note());
        for (title, findings) in [("defects", defects), ("remarks", remarks)] {
            if !findings.is_empty() {
                writeln!(f, "  {title}")?;
            }
            for finding in findings {
                writeln!(f, "    {finding}")?;
            }
        }
        if let Some(result) = &self.result {
            write_changes(f, &self.changes)?;
            writeln!(f, "  result: {}", headline(result))?;
            write!(f, "{result}")?;
        }
        Ok(())
    }
}

impl Report {
    /// One line: closed or open, convex or not, clean or how many kinds of defects.
    ///
    /// ```
    /// # use impinge::{repair, shape::PolyMesh};
    /// let report = repair::inspect(&PolyMesh::new("nothing", vec![])?);
    /// assert_eq!(report.headline(), "no faces");
    /// # Ok::<(), impinge::Error>(())
    /// ```
    pub fn headline(&self) -> String {
        let kinds = self
            .findings
            .iter()
            .filter(|f| !f.kind.is_note() && f.count > 0);
        match (self.facts.faces, kinds.count()) {
            (0, _) => headline(&self.facts),
            (_, 0) => format!("{}; clean", headline(&self.facts)),
            (_, 1) => format!("{}; 1 kind of defect", headline(&self.facts)),
            (_, n) => format!("{}; {n} kinds of defects", headline(&self.facts)),
        }
    }
}

fn headline(facts: &Facts) -> String {
    if facts.faces == 0 {
        return "no faces".to_owned();
    }
    let mut words = vec![if facts.closed { "closed" } else { "open" }.to_owned()];
    if facts.components > 1 {
        words.push(format!("{} components", facts.components));
    }
    match facts.convexity {
        Convexity::Convex => words.push("convex".to_owned()),
        Convexity::NotConvex { depth: Some(depth) } => {
            words.push(format!("not convex by {depth:.1e} of its size"));
        }
        Convexity::Undecided => words.push("convex or nearly so".to_owned()),
        Convexity::NotConvex { depth: None } => {}
    }
    words.join(", ")
}

fn write_changes(f: &mut fmt::Formatter<'_>, changes: &[Change]) -> fmt::Result {
    if changes.is_empty() {
        return writeln!(f, "  nothing to change");
    }
    writeln!(f, "  done")?;
    changes
        .iter()
        .try_for_each(|change| writeln!(f, "    {change}"))
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "  {}, {}",
            plural(self.vertices, "vertex", "vertices"),
            plural(self.faces, "face", "faces")
        )?;
        if self.triangles != self.faces {
            write!(f, " ({})", plural(self.triangles, "triangle", "triangles"))?;
        }
        write!(
            f,
            ", {}, {}, Euler characteristic {}",
            plural(self.edges, "edge", "edges"),
            plural(self.components, "component", "components"),
            self.euler_characteristic
        )?;
        if let Some(genus) = self.genus {
            write!(f, ", genus {genus}")?;
        }
        writeln!(f)?;
        if let Some(bounds) = self.bounds {
            let [[a, b, c], [x, y, z]] =
                [bounds.min(), bounds.max()].map(|p| p.to_array().map(number));
            write!(f, "  from ({a}, {b}, {c}) to ({x}, {y}, {z})")?;
            if let Some([shortest, longest]) = self.edge_lengths {
                write!(f, ", edges {} to {}", number(shortest), number(longest))?;
            }
            write!(f, ", area {}", number(self.area))?;
            if let Some(volume) = self.volume {
                write!(f, ", volume {}", number(volume))?;
            }
            writeln!(f)?;
        }
        if let Search::Stopped { tested } = self.search {
            writeln!(
                f,
                "  the search for self-intersections stopped after {tested} pairs: there may be more"
            )?;
        }
        Ok(())
    }
}

/// Six significant digits, and no more zeros than needed.
fn number(x: f64) -> String {
    let rounded: f64 = format!("{x:.5e}").parse().unwrap_or(x);
    if (1e-4..1e9).contains(&rounded.abs()) || rounded.abs() <= 0.0 {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, many) = words(self.kind);
        write!(
            f,
            "{:>6} {}",
            self.count,
            if self.count == 1 { one } else { many }
        )?;
        if let Some(worst) = self.worst {
            write!(f, ", by up to {worst:.1e} of the size")?;
        }
        write_sites(f, &self.sites, self.count)?;
        match &self.action {
            Action::Found => Ok(()),
            Action::Mended => write!(f, "; mended"),
            Action::Left { count, why, .. } if self.kind.is_note() => {
                write!(f, "; {count} left, as {why}")
            }
            Action::Left { count, sites, why } => {
                write!(f, "; {count} left, as {why}")?;
                write_sites(f, sites, *count)
            }
        }
    }
}

fn write_sites(f: &mut fmt::Formatter<'_>, sites: &[Site], count: usize) -> fmt::Result {
    for (i, site) in sites.iter().enumerate() {
        write!(f, "{} {site}", if i == 0 { ":" } else { "," })?;
    }
    if !sites.is_empty() && sites.len() < count {
        write!(f, ", ...")?;
    }
    Ok(())
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Site::Vertex(v) => write!(f, "vertex {v}"),
            Site::Repeat { vertex, of } => write!(f, "vertex {vertex} as {of}"),
            Site::Edge([a, b]) => write!(f, "edge {a}-{b}"),
            Site::Face(face) => write!(f, "face {face}"),
            Site::Faces([a, b]) => write!(f, "faces {a} and {b}"),
            Site::Loop {
                edge: [a, b],
                length,
            } => write!(f, "{} from {a}-{b}", plural(*length, "edge", "edges")),
            Site::Component { face, faces } => {
                write!(f, "{} from face {face}", plural(*faces, "face", "faces"))
            }
        }
    }
}

impl fmt::Display for Defect {
    /// In the singular, without article: `face has no area`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(words(*self).0)
    }
}

/// What to say of one defect, and of several.
fn words(kind: Defect) -> (&'static str, &'static str) {
    match kind {
        Defect::DuplicateVertex => (
            "vertex repeats an earlier one",
            "vertices repeat earlier ones",
        ),
        Defect::UnusedVertex => ("vertex is used by no face", "vertices are used by no face"),
        Defect::FlatVertex => (
            "vertex is inside a flat part",
            "vertices are inside flat parts",
        ),
        Defect::StraightVertex => (
            "vertex is on a straight edge",
            "vertices are on straight edges",
        ),
        Defect::RepeatedCorner => (
            "face visits a vertex more than once",
            "faces visit a vertex more than once",
        ),
        Defect::ZeroAreaFace => ("face has no area", "faces have no area"),
        Defect::DuplicateFace => ("face repeats an earlier one", "faces repeat earlier ones"),
        Defect::OppositeFace => (
            "face repeats an earlier one the other way round",
            "faces repeat earlier ones the other way round",
        ),
        Defect::RoundedFace => (
            "face is off its plane by rounding only",
            "faces are off their planes by rounding only",
        ),
        Defect::NonPlanarFace => ("face is not planar", "faces are not planar"),
        Defect::NonConvexFace => ("face is not convex", "faces are not convex"),
        Defect::CrossingFace => ("face crosses itself", "faces cross themselves"),
        Defect::Hole => ("hole", "holes"),
        Defect::NonManifoldEdge => (
            "edge has more than two faces",
            "edges have more than two faces",
        ),
        Defect::NonManifoldVertex => (
            "vertex joins parts that share nothing else there",
            "vertices join parts that share nothing else there",
        ),
        Defect::InconsistentEdge => (
            "edge has two faces turned against each other",
            "edges have two faces turned against each other",
        ),
        Defect::BackfacingFace => (
            "face is turned the wrong way",
            "faces are turned the wrong way",
        ),
        Defect::InvertedComponent => ("component is inside out", "components are inside out"),
        Defect::NonOrientableComponent => (
            "component has only one side",
            "components have only one side",
        ),
        Defect::SeparateComponent => ("component", "components"),
        Defect::IsolatedFace => (
            "face is connected to no other",
            "faces are connected to no other",
        ),
        Defect::ReflexEdge => ("edge is reflex", "edges are reflex"),
        Defect::SelfIntersection => (
            "pair of faces meets beyond what they share",
            "pairs of faces meet beyond what they share",
        ),
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let vertices = |n: usize| plural(n, "vertex", "vertices");
        let faces = |n: usize| plural(n, "face", "faces");
        match *self {
            Change::MergedVertices(n) => write!(f, "merged {} into others", vertices(n)),
            Change::CleanedFaces(n) => write!(f, "dropped needless corners of {}", faces(n)),
            Change::SplitFaces(n) => write!(f, "cut {} into triangles", faces(n)),
            Change::DroppedDuplicates(n) => {
                write!(
                    f,
                    "dropped {}",
                    plural(n, "repeated face", "repeated faces")
                )
            }
            Change::DroppedFlatFaces(n) => write!(f, "dropped {} without area", faces(n)),
            Change::FlippedFaces(n) => write!(f, "turned {} around", faces(n)),
            Change::MergedFaces(n) => write!(f, "merged {} into coplanar ones", faces(n)),
            Change::DroppedVertices(n) => write!(f, "dropped {} without faces", vertices(n)),
        }
    }
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(0.0), "0");
        assert_eq!(number(1.0 / 3.0), "0.333333");
        assert_eq!(number(1234567.0), "1234570");
        assert_eq!(number(6.5e-12), "6.5e-12");
        assert_eq!(number(f64::INFINITY), "inf");
    }

    #[test]
    fn a_finding_is_one_line() {
        let mut finding = Finding {
            kind: Defect::ZeroAreaFace,
            count: 3,
            sites: vec![Site::Face(4), Site::Face(9)],
            worst: None,
            action: Action::Found,
        };
        let line = finding.to_string();
        assert_eq!(line, "     3 faces have no area: face 4, face 9, ...");
        finding.action = Action::Left {
            count: 1,
            sites: vec![Site::Face(2)],
            why: "it has too many corners",
        };
        let line = finding.to_string();
        assert!(
            line.ends_with("; 1 left, as it has too many corners: face 2"),
            "{line}"
        );
    }
}
