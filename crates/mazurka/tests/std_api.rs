//! Everything stable that std has in the modules that are mirrored is here, too, with the same signatures: the same text,
//! made from std's documentation (`std_api/generate.py`), is compiled against both.

#[allow(dead_code, deprecated, unused_imports, ambiguous_glob_reexports, non_snake_case, unsafe_code, clippy::all)]
mod of_std {
    use std::{cell, sync, thread};
    include!("std_api/prelude.rs");
    include!("std_api/items.rs");
}

#[allow(dead_code, deprecated, unused_imports, ambiguous_glob_reexports, non_snake_case, unsafe_code, clippy::all)]
mod of_mazurka {
    use mazurka::{cell, sync, thread};
    include!("std_api/prelude.rs");
    include!("std_api/items.rs");
}

#[test]
fn it_compiles() {}
