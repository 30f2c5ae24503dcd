//! What is wrong with a model, and what can be mended? `cargo run --features io --example inspect -- FILE`

use impinge::repair::{Defect, RepairOptions};
use impinge::{Error, io, repair};
use std::path::PathBuf;

fn main() -> Result<(), Error> {
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/broken.obj");
    let path: PathBuf = std::env::args_os()
        .nth(1)
        .map_or_else(|| shipped.into(), PathBuf::from);
    for mesh in io::read(&path)?.meshes() {
        println!("as it is:\n{}", repair::inspect(mesh));
        let (mended, report) = repair::repair(mesh, &RepairOptions::default())?;
        println!("mending:\n{report}");

        let left = repair::inspect(&mended);
        assert_eq!(left.count(Defect::DuplicateVertex), 0);
        assert_eq!(left.count(Defect::ZeroAreaFace), 0);
    }
    Ok(())
}
