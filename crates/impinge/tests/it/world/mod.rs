//! Worlds of many bodies, against asking every pair by itself.

mod agreement;
mod errors;
mod faults;
mod filters;
mod swaps;

use impinge::{BodyId, Pair, World};

/// The pairs of a world that intersect, by asking all of them one by one.
fn intersecting(world: &World) -> Vec<Pair> {
    let bodies: Vec<BodyId> = world.bodies().collect();
    let mut pairs = Vec::new();
    for (k, a) in bodies.iter().enumerate() {
        for b in &bodies[k + 1..] {
            let placed = [a, b].map(|body| {
                let shape = world.shape(*body).unwrap();
                shape.at(*world.pose(*body).unwrap())
            });
            if impinge::query::intersects(placed[0], placed[1]) {
                pairs.push(Pair::new(*a, *b).unwrap());
            }
        }
    }
    pairs
}

/// The pairs that a world says intersect.
fn touching(world: &World) -> Vec<Pair> {
    let contacts = world.contacts().iter();
    let touching = contacts.filter(|contact| contact.intersects());
    touching.map(|contact| contact.pair).collect()
}
