//! Programs in C that are loaded into a test call back: its symbols are exported.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-tests=-Wl,--export-dynamic");
}
