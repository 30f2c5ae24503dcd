//! `impinge robot`: which parts of a robot touch each other, over random joint positions.

use impinge::articulated::urdf::{self, MeshUse, UrdfOptions};
use impinge::articulated::{PartPair, SelfCollision};
use impinge::exact::{self, Counts};
use impinge::{Articulation, Error, Linkage};
use impinge_scenes::configurations::Configurations;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Say which links of a robot touch each other, over random joint positions
///
/// Links are taken as the convex hulls of their collision meshes, or with --meshes as the triangles of these; boxes,
/// spheres, cylinders and capsules as they are. Joint
/// positions are drawn evenly between the limits of each joint. Links that one joint connects are not looked at, unless
/// --neighbours is given, and neither are pairs that an SRDF file disables.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The robot, a URDF file
    file: PathBuf,
    /// An SRDF file: its disable_collisions are the pairs of links that may meet
    #[arg(long, value_name = "FILE")]
    srdf: Option<PathBuf>,
    /// Where a package lies, or what begins with a path in it; may be given more than once
    #[arg(long = "package", value_name = "NAME=FOLDER", value_parser = parse_package)]
    packages: Vec<(String, PathBuf)>,
    /// How many joint positions to draw
    #[arg(long, value_name = "COUNT", default_value_t = 10_000)]
    configurations: usize,
    /// What the random numbers begin with
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Look at links that one joint connects, too
    #[arg(long)]
    neighbours: bool,
    /// Take links as the triangles of their meshes, not as hulls
    #[arg(long)]
    meshes: bool,
    /// Print one JSON object instead of sentences
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  impinge robot panda.urdf --srdf panda.srdf
  impinge robot arm.urdf --package arm_description=../arm_description --configurations 100000
  impinge robot arm.urdf --neighbours --json";

fn parse_package(text: &str) -> Result<(String, PathBuf), String> {
    let (name, folder) = text.split_once('=').ok_or("expected NAME=FOLDER")?;
    Ok((name.to_owned(), folder.into()))
}

/// Reads the robot, moves it and prints what touched.
pub(crate) fn run(arguments: &Arguments) -> io::Result<ExitCode> {
    match survey(arguments) {
        Ok(survey) => {
            let mut out = io::stdout().lock();
            if arguments.json {
                writeln!(out, "{}", survey.to_json())?;
            } else {
                survey.write(&mut out)?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            eprintln!("impinge: {error}");
            Ok(ExitCode::FAILURE)
        }
    }
}

fn survey(arguments: &Arguments) -> Result<Survey, Error> {
    let options = UrdfOptions {
        packages: arguments.packages.clone(),
        srdf: arguments.srdf.clone(),
        self_collision: if arguments.neighbours {
            SelfCollision::All
        } else {
            SelfCollision::Distant
        },
        meshes: if arguments.meshes {
            MeshUse::Triangles
        } else {
            MeshUse::Hull
        },
    };
    let linkage = Arc::new(urdf::read(&arguments.file, &options)?.build()?);
    let mut random = Configurations::new(arguments.seed);
    let configurations: Vec<Vec<f64>> = (0..arguments.configurations)
        .map(|_| random.draw(&linkage))
        .collect();
    Survey::new(linkage, &configurations)
}

/// What was found.
struct Survey {
    linkage: Arc<Linkage>,
    configurations: usize,
    /// In how many of them something touched.
    colliding: usize,
    /// How often links touched, by name, the more frequent first.
    touching: Vec<([String; 2], usize)>,
    time: Duration,
    decisions: Counts,
}

impl Survey {
    fn new(linkage: Arc<Linkage>, configurations: &[Vec<f64>]) -> Result<Survey, Error> {
        let mut robot = Articulation::new(linkage.clone())?;
        let mut found = Vec::new();
        let (start, before) = (Instant::now(), exact::counts());
        robot.self_contacts_each(configurations, |k, contacts| {
            found.extend(contacts.iter().map(|pair| (k, *pair)));
        })?;
        let (time, decisions) = (start.elapsed(), exact::counts() - before);
        let links_of = |pair: &PartPair| [pair.a, pair.b].map(|part| linkage.part(part).link());
        // Several parts of two links that touch count once.
        let links: BTreeSet<_> = found.iter().map(|(k, pair)| (*k, links_of(pair))).collect();
        let mut counts = BTreeMap::new();
        for (_, links) in &links {
            *counts.entry(*links).or_insert(0) += 1;
        }
        let colliding: BTreeSet<usize> = found.iter().map(|(k, _)| *k).collect();
        let colliding = colliding.len();
        let named = counts.into_iter().map(|(links, count)| {
            let names = links.map(|link| linkage.link(link).name().to_owned());
            (names, count)
        });
        let mut touching: Vec<_> = named.collect();
        touching.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Ok(Survey {
            linkage,
            configurations: configurations.len(),
            colliding,
            touching,
            time,
            decisions,
        })
    }

    /// Pairs of parts that are looked at.
    fn pairs(&self) -> usize {
        let ids: Vec<_> = self.linkage.part_ids().collect();
        let others = |place: usize| ids[place + 1..].iter();
        let is_looked_at = |a: usize, b: &&_| self.linkage.may_meet(ids[a], **b);
        (0..ids.len())
            .map(|a| others(a).filter(|b| is_looked_at(a, b)).count())
            .sum()
    }

    fn per_second(&self) -> f64 {
        self.configurations as f64 / self.time.as_secs_f64()
    }

    fn to_json(&self) -> Value {
        let touching = self.touching.iter();
        json!({
            "links": self.linkage.links().len(),
            "parts": self.linkage.parts().len(),
            "freedoms": self.linkage.freedoms(),
            "pairs": self.pairs(),
            "configurations": self.configurations,
            "colliding": self.colliding,
            "touching": touching
                .map(|(links, count)| json!({"links": links, "count": count}))
                .collect::<Vec<_>>(),
            "seconds": self.time.as_secs_f64(),
            "configurations_per_second": self.per_second(),
            "exact_decisions": self.decisions.big + self.decisions.expansion,
        })
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let linkage = &self.linkage;
        writeln!(
            out,
            "{} links with {} parts, {} numbers for their joints; {} pairs of parts are looked at",
            linkage.links().len(),
            linkage.parts().len(),
            linkage.freedoms(),
            self.pairs(),
        )?;
        writeln!(
            out,
            "{} of {} configurations collide ({:.0} configurations a second)",
            self.colliding,
            self.configurations,
            self.per_second(),
        )?;
        for ([a, b], count) in &self.touching {
            writeln!(out, "  {count:>8}  {a} with {b}")?;
        }
        Ok(())
    }
}
