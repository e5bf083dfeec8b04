//! The published sources, and the copy in which the dependency is swapped.

use crate::Tool;
use crate::suite::Suite;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use toml_edit::{DocumentMut, Item, Table, value};

/// Versions of loom that packages ask for: what stands in for them in dependencies of dependencies.
const LOOMS: [&str; 2] = ["0.7.2", "0.5.6"];

const MANIFEST: &str = "Cargo.toml";

/// Where the package's published sources are, downloaded if need be.
pub fn published(suite: &Suite, work: &Path) -> io::Result<PathBuf> {
    let folder = work.join("fetch").join(&suite.name);
    fs::create_dir_all(folder.join("src"))?;
    write_if_other(&folder.join("src/lib.rs"), b"")?;
    let manifest = format!(
        "[workspace]\n[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n{} = \"={}\"\n",
        suite.name, suite.version
    );
    write_if_other(&folder.join(MANIFEST), manifest.as_bytes())?;
    let output = Command::new("cargo").args(["metadata", "--format-version", "1"]).current_dir(&folder).output()?;
    if !output.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let mut found = packages.filter(|package| package["name"] == suite.name.as_str());
    let manifest = found.find_map(|package| package["manifest_path"].as_str());
    let manifest = Path::new(manifest.ok_or_else(|| io::Error::other("cargo did not download it"))?);
    Ok(manifest.parent().unwrap_or(manifest).to_owned())
}

/// A copy of the sources for a tool. Files that are there already, and are the same, are left as they are, so that what was built is not
/// built again.
pub fn copy(suite: &Suite, published: &Path, tool: Tool, work: &Path, product: &Path) -> io::Result<PathBuf> {
    let folder = work.join(tool.name()).join(&suite.name);
    copy_all(published, &folder)?;
    let mut manifest: DocumentMut = fs::read_to_string(published.join(MANIFEST))?.parse().map_err(io::Error::other)?;
    manifest.insert("workspace", Item::Table(Table::new()));
    leave_out_benches(&mut manifest);
    if tool == Tool::Mazurka {
        swap_in(manifest.as_table_mut(), product);
        patch(&mut manifest, work, product)?;
    }
    write_if_other(&folder.join(MANIFEST), manifest.to_string().as_bytes())?;
    Ok(folder)
}

/// Benches are not run, and what they are made with takes long to build.
fn leave_out_benches(manifest: &mut DocumentMut) {
    manifest.remove("bench");
    if let Some(dependencies) = manifest.get_mut("dev-dependencies").and_then(Item::as_table_mut) {
        dependencies.remove("criterion");
    }
}

/// Makes `to` a copy of `from`, but for the manifest and what cargo made of it.
fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let is_ours = |name: &OsStr| name == MANIFEST || name == "Cargo.lock";
    for entry in fs::read_dir(to)? {
        let entry = entry?;
        if is_ours(&entry.file_name()) || from.join(entry.file_name()).exists() {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_all(&entry.path(), &target)?;
        } else if !is_ours(&entry.file_name()) {
            write_if_other(&target, &fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

fn write_if_other(path: &Path, content: &[u8]) -> io::Result<()> {
    match fs::read(path) {
        Ok(there) if there == content => Ok(()),
        _ => fs::write(path, content),
    }
}

/// What a user does: every dependency on loom becomes one on `mazurka-loom`, under the name that it has.
fn swap_in(table: &mut Table, product: &Path) {
    for (key, item) in table.iter_mut() {
        let name = key.get().to_owned();
        let Some(inner) = item.as_table_mut() else { continue };
        let is_loom = name == "loom" && inner.contains_key("version")
            || inner.get("package").and_then(Item::as_str) == Some("loom");
        if is_loom {
            inner.remove("version");
            inner.insert("package", value("mazurka-loom"));
            inner.insert("path", value(product.join("crates/mazurka-loom").display().to_string()));
        } else if name != "features" {
            swap_in(inner, product);
        }
    }
}

/// Dependencies that use loom themselves get `mazurka-loom` under loom's name and version.
fn patch(manifest: &mut DocumentMut, work: &Path, product: &Path) -> io::Result<()> {
    let mut looms = Table::new();
    for version in LOOMS {
        let folder = work.join(format!("loom-{version}"));
        fs::create_dir_all(&folder)?;
        let original = fs::read_to_string(product.join("crates/mazurka-loom/Cargo.toml"))?;
        write_if_other(&folder.join(MANIFEST), stand_in(&original, version, product)?.as_bytes())?;
        let mut entry = Table::new();
        entry.insert("package", value("loom"));
        entry.insert("path", value(folder.display().to_string()));
        looms.insert(&format!("loom-{}", version.replace('.', "-")), Item::Table(entry));
    }
    let mut patches = Table::new();
    patches.set_implicit(true);
    patches.insert("crates-io", Item::Table(looms));
    manifest.insert("patch", Item::Table(patches));
    Ok(())
}

/// The manifest of `mazurka-loom`, named as loom.
fn stand_in(original: &str, version: &str, product: &Path) -> io::Result<String> {
    let mut manifest: DocumentMut = original.parse().map_err(io::Error::other)?;
    let mut package = Table::new();
    package.insert("name", value("loom"));
    package.insert("version", value(version));
    package.insert("edition", value("2024"));
    manifest.insert("package", Item::Table(package));
    manifest["lib"]["path"] = value(product.join("crates/mazurka-loom/src/lib.rs").display().to_string());
    let mut dependencies = Table::new();
    for (name, package) in [("mazurka", "mazurka"), ("fiber", "mazurka-fiber")] {
        let mut dependency = Table::new();
        dependency.insert("package", value(package));
        dependency.insert("path", value(product.join("crates").join(name).display().to_string()));
        dependencies.insert(name, Item::Table(dependency));
    }
    manifest.insert("dependencies", Item::Table(dependencies));
    manifest.remove("dev-dependencies");
    manifest.insert("workspace", Item::Table(Table::new()));
    Ok(manifest.to_string())
}
