//! Programs in C that are loaded into this one call back: its symbols are exported.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-bins=-Wl,--export-dynamic");
}
