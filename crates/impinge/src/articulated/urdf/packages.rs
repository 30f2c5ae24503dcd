//! Where meshes lie.

use std::path::{Path, PathBuf};

/// The file that a mesh name stands for, seen from a robot's folder.
///
/// `package://name/rest` is looked up among the given packages, the longest fitting beginning first. A package that is not
/// given is looked for beside and above the folder: a folder of its name, or a folder that holds one. Other names are paths,
/// relative ones from the robot's folder; `file://` before them is dropped.
pub(super) fn resolve(
    name: &str,
    folder: &Path,
    packages: &[(String, PathBuf)],
) -> Result<PathBuf, String> {
    let Some(in_package) = name.strip_prefix("package://") else {
        return Ok(folder.join(name.strip_prefix("file://").unwrap_or(name)));
    };
    let rest_of = |begin: &str| {
        let rest = in_package.strip_prefix(begin.trim_end_matches('/'))?;
        rest.strip_prefix('/')
    };
    let fitting = packages
        .iter()
        .filter_map(|(begin, folder)| Some((begin.len(), folder.join(rest_of(begin)?))));
    if let Some((_, path)) = fitting.max_by_key(|(length, _)| *length) {
        return Ok(path);
    }
    let (package, rest) = in_package
        .split_once('/')
        .ok_or_else(|| format!("\"{name}\" has no path after the package"))?;
    let above = folder.ancestors().flat_map(|folder| {
        let is_it = folder.file_name().is_some_and(|name| name == package);
        let own = is_it.then(|| folder.join(rest));
        own.into_iter().chain([folder.join(package).join(rest)])
    });
    let mut existing = above.filter(|path| path.is_file());
    existing.next().ok_or_else(|| {
        format!("\"{name}\": the package {package} is not given, and not around the file")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(begin: &str, folder: &str) -> (String, PathBuf) {
        (begin.to_owned(), folder.into())
    }

    #[test]
    fn the_longest_beginning_counts() {
        let packages = [
            given("arm", "/a"),
            given("arm/meshes", "/b"),
            given("ar", "/c"),
        ];
        let find = |name: &str| resolve(name, Path::new("/robots"), &packages).unwrap();
        assert_eq!(find("package://arm/x.stl"), Path::new("/a/x.stl"));
        assert_eq!(find("package://arm/meshes/x.stl"), Path::new("/b/x.stl"));
        assert_eq!(find("meshes/x.stl"), Path::new("/robots/meshes/x.stl"));
        assert_eq!(find("file:///x.stl"), Path::new("/x.stl"));
    }

    #[test]
    fn unknown_packages_are_named() {
        let error = resolve("package://arm/x.stl", Path::new("robots"), &[]).unwrap_err();
        assert!(error.contains("arm"), "{error}");
        assert!(resolve("package://arm", Path::new("robots"), &[]).is_err());
    }
}
