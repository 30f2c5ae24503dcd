//! The page that a run leaves behind, in Markdown: what was compared, a table for each scene, and what the numbers say
//! about the claims of the source.

use super::measure::{Cost, Entry, Rival};
use super::{Arguments, Row, SHOWN};
use impinge::bvh::TreeKind;

/// The whole page.
pub(super) fn page(rows: &[Row], arguments: &Arguments) -> String {
    let mut page = heading(arguments);
    page += "\n## What the source claims, and what is measured\n\n";
    for verdict in verdicts(rows) {
        page += &format!("- {verdict}\n");
    }
    page += "\n## Close parallel surfaces\n\n";
    for (ending, title, ..) in SHOWN {
        page += &format!("![{title}](trees-{ending}.svg)\n\n");
    }
    page += "\n## All numbers\n\n\
             Microseconds a query, pairs of nodes and of triangles that it looks at, on average over the poses of a \
             scene. *Coherent* is a distance that begins with the closest triangles of a query a thousandth of a \
             unit away. The same numbers are in [trees.csv](trees.csv).\n";
    for row in rows {
        page += &section(row);
    }
    page
}

fn heading(arguments: &Arguments) -> String {
    let Arguments {
        triangles,
        poses,
        rounds,
        models,
    } = arguments;
    let models = if models.is_empty() {
        ""
    } else {
        " --models ..."
    };
    format!(
        "\
# Trees of bounding volumes

`impinge bench trees --triangles {triangles} --poses {poses} --rounds {rounds}{models} --out docs/experiments` puts every
bounding volume of the catalogue through both questions. Larsen (Collision Detection for Real-Time Simulation, 2000)
compares the same volumes in words; here are numbers. All kinds share one binary tree, divided across the longest
principal axis at the mean, with one triangle to a leaf; one traversal for overlap and one for distance; and the exact
tests of triangles at the leaves. What differs is the volume. The last row of each table is the tree that the library
itself uses: oriented boxes in single precision, eight to a node, four triangles to a leaf.

Generated meshes have about {triangles} triangles each. Models from files are brought to the same size; the second comes
along some direction up to the first contact, and stops a little beyond it (*overlapping*), a hundredth of the size before
it (*close*), or half the size before it (*apart*). A scene has {poses} poses, each of which counts by the quickest of
{rounds} rounds, on one thread of a shared and busy machine: times of many milliseconds may be off by half, counted pairs
do not vary. Every answer was compared with that of the default. A distance begins with the question of overlap.
"
    )
}

fn section(row: &Row) -> String {
    let mut text = format!(
        "\n### {}\n\n\
         | tree | build ms | bytes a triangle | overlap us | node pairs | triangle pairs \
         | distance us | node pairs | triangle pairs | coherent us |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        row.scene.name
    );
    for entry in &row.entries {
        let Entry {
            rival,
            build,
            bytes,
            overlap,
            distance,
            coherent,
        } = entry;
        text += &format!(
            "| {} | {build:.1} | {bytes:.0} | {} | {} | {} |\n",
            rival.name(),
            cells(overlap),
            cells(distance),
            short(*coherent)
        );
    }
    text
}

fn cells(cost: &Cost) -> String {
    let Cost {
        micros,
        node_pairs,
        triangle_pairs,
    } = cost;
    let [micros, nodes, triangles] = [*micros, *node_pairs, *triangle_pairs].map(short);
    format!("{micros} | {nodes} | {triangles}")
}

/// Three digits, nothing for what was not measured.
fn short(number: f64) -> String {
    if number.is_nan() {
        String::new()
    } else if number >= 100.0 {
        format!("{number:.0}")
    } else if number >= 10.0 {
        format!("{number:.1}")
    } else {
        format!("{number:.2}")
    }
}

/// A sentence for each claim of the source, with the numbers that confirm or contradict it.
pub(super) fn verdicts(rows: &[Row]) -> Vec<String> {
    // Gaps shrink from scene to scene.
    let closest = |kind: &str| {
        let is_own = |row: &&Row| row.scene.gap.is_some_and(|gap| gap.0 == kind);
        rows.iter().rev().find(is_own)
    };
    let (Some(spheres), Some(sheets)) = (closest("spheres"), closest("sheets")) else {
        return Vec::new();
    };
    let apart: Vec<&Row> = rows
        .iter()
        .filter(|row| !row.scene.name.contains("deep") && !row.scene.name.contains("overlapping"))
        .collect();
    vec![
        oriented_boxes(rows),
        aligned_boxes(rows, sheets),
        spheres_are_cheap(rows, sheets),
        hulls(rows, sheets),
        shells(spheres, sheets),
        swept_for_distance(&apart),
        swept_for_overlap(&apart),
        hybrid(&apart),
        coherence(&apart),
    ]
}

fn entry(row: &Row, kind: TreeKind) -> Entry {
    let found = row
        .entries
        .iter()
        .find(|entry| entry.rival == Rival::Tree(kind));
    *found.expect("all kinds are measured on each scene")
}

/// The ratio of a number of two kinds, a geometric mean over scenes.
fn ratio(rows: &[&Row], over: TreeKind, under: TreeKind, number: fn(&Entry) -> f64) -> f64 {
    let logs = rows.iter().map(|row| {
        let ratio = number(&entry(row, over)) / number(&entry(row, under));
        ratio.ln()
    });
    (logs.sum::<f64>() / rows.len() as f64).exp()
}

fn overlap_time(entry: &Entry) -> f64 {
    entry.overlap.micros
}

fn distance_time(entry: &Entry) -> f64 {
    entry.distance.micros
}

fn overlap_nodes(entry: &Entry) -> f64 {
    entry.overlap.node_pairs
}

/// Nanoseconds of a pair of nodes, from scenes in which a kind looks at hardly any triangles.
fn test_cost(rows: &[Row], kind: TreeKind) -> f64 {
    let own = rows.iter().map(|row| entry(row, kind).overlap);
    let clean =
        own.filter(|cost| cost.node_pairs >= 10.0 && cost.triangle_pairs <= 0.02 * cost.node_pairs);
    let (time, pairs) = clean.fold((0.0, 0.0), |(time, pairs), cost| {
        (time + cost.micros, pairs + cost.node_pairs)
    });
    1e3 * time / pairs
}

fn word(is_confirmed: bool) -> &'static str {
    if is_confirmed {
        "Confirmed"
    } else {
        "Contradicted"
    }
}

/// What a ratio that should be above 1 says. A tenth may be noise.
fn against(ratio: f64) -> &'static str {
    if (0.9..1.1).contains(&ratio) {
        "Undecided"
    } else {
        word(ratio > 1.0)
    }
}

fn oriented_boxes(rows: &[Row]) -> String {
    use TreeKind::{Aabb, Obb, Sphere};
    let close: Vec<&Row> = rows.iter().filter(|row| row.scene.gap.is_some()).collect();
    let time = |over| ratio(&close, over, Obb, overlap_time);
    let nodes = |over| ratio(&close, over, Obb, overlap_nodes);
    format!(
        "*For two close parallel surfaces, OBBs can be a big win.* {}: over all gaps, axis-aligned boxes look at \
         {:.1} times as many pairs of nodes and take {:.1} times as long; spheres {:.1} and {:.1} times.",
        word(time(Aabb) > 2.0 && time(Sphere) > 2.0),
        nodes(Aabb),
        time(Aabb),
        nodes(Sphere),
        time(Sphere),
    )
}

fn aligned_boxes(rows: &[Row], sheets: &Row) -> String {
    use TreeKind::{Aabb, Obb};
    let [aabb, obb] = [Aabb, Obb].map(|kind| test_cost(rows, kind));
    let nodes = ratio(&[sheets], Aabb, Obb, overlap_nodes);
    format!(
        "*AABB trees reduce the cost of the OBB test, but lose convergence.* {} on the cost, {} on convergence: a pair of \
         nodes, its triangles included, takes {aabb:.0} ns for axis-aligned boxes and {obb:.0} ns for oriented ones; \
         between sheets there are {nodes:.1} times as many.",
        against(obb / aabb),
        against(nodes).to_lowercase(),
    )
}

fn spheres_are_cheap(rows: &[Row], sheets: &Row) -> String {
    use TreeKind::{Obb, Sphere};
    let [fast, slow] = [Sphere, Obb].map(|kind| test_cost(rows, kind));
    let [sphere, obb] = [Sphere, Obb].map(|kind| entry(sheets, kind).overlap);
    format!(
        "*Spheres: very fast tests, poor fit for flat geometry.* {}: a pair of nodes takes {fast:.0} ns against \
         {slow:.0} ns for oriented boxes; between sheets spheres look at {:.0} pairs of nodes and {:.0} of \
         triangles, boxes at {:.0} and {:.0}.",
        word(fast < slow && sphere.node_pairs > obb.node_pairs),
        sphere.node_pairs,
        sphere.triangle_pairs,
        obb.node_pairs,
        obb.triangle_pairs,
    )
}

fn hulls(rows: &[Row], sheets: &Row) -> String {
    use TreeKind::{Hull, Obb};
    let [hull, obb] = [Hull, Obb].map(|kind| test_cost(rows, kind));
    let nodes = ratio(&[sheets], Hull, Obb, overlap_nodes);
    let time = ratio(&[sheets], Hull, Obb, overlap_time);
    format!(
        "*Convex hulls: the tightest fit, a very expensive test.* {}: between sheets {nodes:.2} times the pairs of \
         nodes of oriented boxes; a pair takes {hull:.0} ns against {obb:.0} ns, a query {time:.1} times as long.",
        word(hull > obb && nodes < 1.0),
    )
}

fn shells(spheres: &Row, sheets: &Row) -> String {
    use TreeKind::{Obb, Shell};
    let nodes = |row, kind| entry(row, kind).overlap.node_pairs;
    format!(
        "*Spherical shells follow curvature* (the claim of their authors). {}: on nested spheres, which are shells \
         themselves, {:.0} pairs of nodes against {:.0} of oriented boxes; on sheets with waves {:.0} against {:.0}.",
        word(nodes(sheets, Shell) < nodes(sheets, Obb)),
        nodes(spheres, Shell),
        nodes(spheres, Obb),
        nodes(sheets, Shell),
        nodes(sheets, Obb),
    )
}

fn swept_for_distance(rows: &[&Row]) -> String {
    use TreeKind::{Aabb, Lss, Obb, Rss, Sphere};
    let time = |over| ratio(rows, over, Rss, distance_time);
    format!(
        "*Swept spheres for distance.* {} against spheres, {} against oriented boxes: over all scenes that do not \
         overlap, in units of the time of rectangle-swept spheres, line-swept ones take {:.2}, oriented boxes {:.2}, \
         axis-aligned boxes {:.2}, and spheres {:.2}.",
        against(time(Sphere)),
        against(time(Obb)).to_lowercase(),
        time(Lss),
        time(Obb),
        time(Aabb),
        time(Sphere),
    )
}

fn swept_for_overlap(rows: &[&Row]) -> String {
    use TreeKind::{Obb, Rss};
    let time = ratio(rows, Rss, Obb, overlap_time);
    format!(
        "*Swept spheres are slower than OBBs for checking overlap.* {}: {time:.2} times as long over the same scenes.",
        against(time),
    )
}

fn hybrid(rows: &[&Row]) -> String {
    use TreeKind::{Rss, Swept};
    let time = ratio(rows, Swept, Rss, distance_time);
    format!(
        "*Using all types of swept spheres is not faster than rectangles only.* {}: choosing point, segment or \
         rectangle in each node takes {time:.2} times as long for distance.",
        word(time > 0.95),
    )
}

fn coherence(rows: &[&Row]) -> String {
    let gains = rows.iter().map(|row| {
        let own = entry(row, TreeKind::Rss);
        (own.distance.micros / own.coherent).ln()
    });
    let gain = (gains.sum::<f64>() / rows.len() as f64).exp();
    format!(
        "*The closest pair of the last query yields a small factor.* {}: {gain:.2} with rectangle-swept spheres, \
         when that query was a thousandth of a unit away.",
        word(gain > 1.0),
    )
}
