//! The error of an answer against what was spent on it: two knots that pass each other, through several trees.
//!
//! Each frame is asked anew with a gradual query, and after every budget what is known is written down: the width of the interval
//! that contains the distance, as a share of the size of a knot, and whether it is known if the knots meet. All is counted in pairs of
//! volumes, so the table is the same on every machine. When all is spent, the answers must be those of `query::distance`, and on
//! the way no interval may leave them out.

use super::Outcome;
use super::plot::{Plot, Scale};
use super::table::Table;
use clap::Args;
use impinge::bvh::{BoundingSphere, Bvh, GradualSearch, Hubbard, Quinlan, Tree};
use impinge::query::{Gradual, Progress};
use impinge::{Pose, Separation, Shape, TriMesh, query};
use impinge_scenes::knots::{approach, torus_knot};
use std::sync::Arc;

/// Error of an answer against the pairs of volumes that it may compare
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Triangles of each knot
    #[arg(long, default_value_t = 4000)]
    triangles: u32,
    /// Frames along the path
    #[arg(long, default_value_t = 200)]
    frames: u32,
}

/// The largest budget is two to the power of this.
const LARGEST: u32 = 20;
/// The smallest: enough to open the roots.
const SMALLEST: u32 = 4;

const METHODS: [&str; 4] = ["default", "spheres", "quinlan", "hubbard"];

/// The trees of a knot.
struct Trees {
    shape: Shape,
    spheres: Bvh<BoundingSphere>,
    quinlan: Quinlan,
    hubbard: Hubbard,
    size: f64,
}

impl Trees {
    fn new(triangles: u32) -> Result<Trees, impinge::Error> {
        let mesh: Arc<TriMesh> = Arc::new(torus_knot(2, 3, triangles)?);
        Ok(Trees {
            size: mesh.bounds().size().max_element(),
            spheres: Bvh::new(Arc::clone(&mesh)),
            quinlan: Quinlan::usual(Arc::clone(&mesh)),
            hubbard: Hubbard::usual(Arc::clone(&mesh)),
            shape: Shape::Mesh(mesh),
        })
    }

    /// What each budget of a method comes to in a frame.
    fn ask(&self, method: usize, pose: Pose) -> Result<Vec<Progress>, impinge::Error> {
        let rest = Pose::IDENTITY;
        Ok(match method {
            0 => {
                let mut question = Gradual::new(self.shape.at(rest), self.shape.at(pose))?;
                spend_all(|pairs| question.spend(pairs))
            }
            1 => search(&self.spheres, pose),
            2 => search(&self.quinlan, pose),
            _ => search(&self.hubbard, pose),
        })
    }
}

fn search<T: Tree<Bound = BoundingSphere>>(tree: &T, pose: Pose) -> Vec<Progress> {
    let mut search = GradualSearch::new(tree.at(Pose::IDENTITY), tree.at(pose));
    spend_all(|pairs| search.spend(pairs))
}

/// Spends one budget after the other, each time as much as is missing.
fn spend_all(mut spend: impl FnMut(u64) -> Progress) -> Vec<Progress> {
    let mut spent = 0;
    let budgets = (SMALLEST..=LARGEST).map(|power| 1 << power);
    budgets
        .map(|budget: u64| {
            let progress = spend(budget - spent);
            spent = progress.spent;
            progress
        })
        .collect()
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome, String> {
    if arguments.frames == 0 {
        return Err("there must be a frame".to_owned());
    }
    let table = measure(arguments).map_err(|error| error.to_string())??;
    let plots = vec![
        (
            "error",
            plot(&table, 0, "Width of the interval", "millionths of the size")?,
        ),
        (
            "unknown",
            plot(
                &table,
                1,
                "Not known whether they meet",
                "frames in a hundred",
            )?,
        ),
    ];
    Ok(Outcome {
        name: "budget",
        plots,
        remarks: remarks(&table),
        page: None,
        table,
    })
}

/// For each budget: of each method the mean width and the share of frames without an answer.
fn measure(arguments: &Arguments) -> Result<Result<Table, String>, impinge::Error> {
    let trees = Trees::new(arguments.triangles)?;
    let count = (LARGEST - SMALLEST + 1) as usize;
    let mut sums = vec![[[0.0; 2]; METHODS.len()]; count];
    for (frame, pose) in approach(arguments.frames)?.into_iter().enumerate() {
        let exact = query::distance(trees.shape.at(Pose::IDENTITY), trees.shape.at(pose));
        for (method, name) in METHODS.iter().enumerate() {
            for (sums, progress) in sums.iter_mut().zip(trees.ask(method, pose)?) {
                if let Err(problem) = check(&progress, &exact) {
                    return Ok(Err(format!("frame {frame}, {name}: {problem}")));
                }
                sums[method][0] += progress.bounds.width() / trees.size * 1e6;
                sums[method][1] += f64::from(u8::from(progress.intersects.is_none())) * 100.0;
            }
        }
    }
    let names = METHODS.iter().flat_map(|name| {
        [
            format!("{name} width (millionths)"),
            format!("{name} unknown (%)"),
        ]
    });
    let mut table = Table::new(std::iter::once("node pairs".to_owned()).chain(names));
    for (power, sums) in (SMALLEST..).zip(sums) {
        let means = sums
            .as_flattened()
            .iter()
            .map(|sum| sum / f64::from(arguments.frames));
        table.push(
            std::iter::once(f64::from(1_u32 << power))
                .chain(means)
                .collect(),
        );
    }
    Ok(Ok(table))
}

/// An error when what is said cannot be true.
fn check(progress: &Progress, exact: &Separation) -> Result<(), String> {
    let (own, truth) = (progress.bounds, exact.bounds);
    let is_known = progress
        .intersects
        .is_none_or(|known| known == (exact.distance <= 0.0));
    if is_known && own.lower <= truth.upper && truth.lower <= own.upper {
        Ok(())
    } else {
        Err(format!("{progress:?} against {exact:?}"))
    }
}

/// One of the two numbers of each method.
fn plot(table: &Table, number: usize, title: &str, y: &str) -> Result<String, String> {
    // What is as good as nothing has no place on a logarithmic axis.
    let curve = |method: usize| {
        let curve = table.curve(1 + 2 * method + number).into_iter();
        curve.filter(|(_, y)| *y >= 0.1).collect()
    };
    let curves = METHODS.iter().enumerate();
    let plot = Plot {
        title,
        x: "pairs of volumes",
        y,
        scale: Scale::Logarithmic,
        curves: curves
            .map(|(method, name)| ((*name).to_owned(), curve(method)))
            .collect(),
    };
    plot.to_svg()
}

/// How much is needed for one part in a thousand.
fn remarks(table: &Table) -> Vec<String> {
    let needed = |method: usize| {
        let curve = table.curve(1 + 2 * method);
        curve.into_iter().find(|(_, width)| *width <= 1000.0)
    };
    let sentence = |(method, name): (usize, &&str)| match needed(method) {
        Some((pairs, _)) => format!("{name}: {pairs} pairs for a mean width of a thousandth"),
        None => format!("{name}: more than all of it for a mean width of a thousandth"),
    };
    METHODS.iter().enumerate().map(sentence).collect()
}
