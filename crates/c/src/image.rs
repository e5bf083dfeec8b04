//! The program in memory: where it was loaded, and its variables as they were before its first run.

use crate::driver::held_back;
use crate::layout::{self, LOCALS_SIZE};
use model::ThreadId;
use object::{Object, ObjectSymbol};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ops::Range;
use std::path::Path;

/// Writes what the exception is that is being handled into so many bytes; 0 if there is none.
pub(crate) type DescribeException = unsafe extern "C-unwind" fn(*mut c_char, usize) -> c_int;

/// A program that was loaded into this process.
pub(crate) struct Image {
    /// What addresses of the file are relative to.
    pub(crate) base: usize,
    pub(crate) main: usize,
    /// Functions to be called before the main function, and, the last one first, at the end of the program.
    pub(crate) constructors: Vec<usize>,
    pub(crate) destructors: Vec<usize>,
    /// What says which exception is being handled, in a program with C++ in it.
    pub(crate) describe_exception: Option<DescribeException>,
    /// What takes the thread that runs out of all of its frames.
    pub(crate) unwind: extern "C-unwind" fn(),
    /// What the unwinder of exceptions does once.
    pub(crate) begins_unwinder: Vec<usize>,
    /// Counters of changes of what its threads share in the runtime: functions to be called at its end, and keys.
    pub(crate) exit_functions: usize,
    pub(crate) keys: usize,
    /// Whether it calls functions of `fenv.h`.
    pub(crate) uses_fenv: bool,
    /// Whether it calls functions that say what time it is.
    pub(crate) looks_at_clock: bool,
    /// Whether it may want functions to be called at its end.
    pub(crate) registers_ends: bool,
    /// Whether it has code on its stacks.
    pub(crate) runs_on_stacks: bool,
    /// Its code.
    pub(crate) text: Range<usize>,
    /// Its variables.
    pub(crate) globals: Range<usize>,
    /// Initial bytes of thread-local variables, and how many more are zero.
    locals: Vec<u8>,
    locals_size: usize,
    /// By which number the loader knows its thread-local variables.
    pub(crate) module: usize,
}

impl Image {
    /// Loads a program. Nothing of it is run: see `driver::held_back`.
    pub(crate) fn load(path: &Path) -> Result<Self, String> {
        // The loader would look for a name without a folder among the libraries.
        let path = &Path::new(".").join(path);
        let name =
            CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| "a path with a zero byte".to_owned())?;
        // SAFETY: constructors are held back, so that loading runs nothing of the program.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        if handle.is_null() {
            let problem = loader_problem();
            return Err(match problem.split_once("undefined symbol: ") {
                Some((_, name)) => format!(
                    "it uses '{name}', which is in none of its sources nor in a library that it is linked with (give its \
                     source, or a flag such as -lNAME behind --), or which is not supported"
                ),
                None => problem,
            });
        }
        // SAFETY: a handle of the loader.
        let main = unsafe { libc::dlsym(handle, c"main".as_ptr()) } as usize;
        if main == 0 {
            return Err("it has no function main".to_owned());
        }
        // SAFETY: as above.
        let describe = unsafe { libc::dlsym(handle, c"mazurka_describe_exception".as_ptr()) };
        // SAFETY: the function of this name, in the part of the runtime that is linked into the program.
        let describe = unsafe { std::mem::transmute::<*mut c_void, Option<DescribeException>>(describe) };
        // SAFETY: as above.
        let unwind = unsafe { libc::dlsym(handle, c"mazurka_unwind".as_ptr()) };
        // SAFETY: as above.
        let unwind = unsafe { std::mem::transmute::<*mut c_void, Option<extern "C-unwind" fn()>>(unwind) };
        let Some(unwind) = unwind else { return Err("another version of mazurka linked it; link it again".to_owned()) };
        run_as_if_threaded();
        prepare_unwinder();
        let segments = Segments::of(main).ok_or("the loader does not know where it put it")?;
        if segments.locals_size > LOCALS_SIZE {
            return Err(format!("it has more than {LOCALS_SIZE} bytes of thread-local variables"));
        }
        let Some(symbols) = Symbols::read(path, segments.base) else {
            return Err("its symbols cannot be read".to_owned());
        };
        let begins_unwinder = if describe.is_some() { symbols.begin_unwinder } else { Vec::new() };
        let added = symbols.added;
        let mut destructors = segments.functions(held_back::DESTRUCTORS);
        destructors.retain(|destructor| !added.contains(destructor));
        // SAFETY: as above.
        let variable = |name: &CStr| unsafe { libc::dlsym(handle, name.as_ptr()) } as usize;
        let (exit_functions, keys) = (variable(c"mazurka_exit_functions"), variable(c"mazurka_keys"));
        if exit_functions == 0 || keys == 0 {
            return Err("another version of mazurka linked it; link it again".to_owned());
        }
        let image = Image {
            base: segments.base,
            main,
            constructors: segments.functions(held_back::CONSTRUCTORS),
            destructors,
            exit_functions,
            keys,
            begins_unwinder,
            uses_fenv: symbols.uses_fenv,
            looks_at_clock: symbols.looks_at_clock,
            registers_ends: symbols.registers_ends,
            describe_exception: describe,
            unwind,
            runs_on_stacks: segments.runs_on_stacks,
            text: segments.text,
            globals: segments.globals,
            locals: copy(&segments.locals),
            locals_size: segments.locals_size,
            module: segments.module,
        };
        Ok(image)
    }

    /// Puts the program's arguments behind the thread-local variables of its main thread, so that they are memory as any other. Where
    /// the list of them is, which ends with a null, is the answer.
    pub(crate) fn add_arguments(&mut self, arguments: &[String]) -> Result<usize, String> {
        const WORD: usize = size_of::<usize>();
        let locals = layout::stack_of(ThreadId(0)).end - LOCALS_SIZE;
        let list = self.locals_size.next_multiple_of(2 * WORD);
        let mut pointers = Vec::new();
        let mut texts = Vec::new();
        for argument in arguments {
            pointers.extend((locals + list + (arguments.len() + 1) * WORD + texts.len()).to_ne_bytes());
            texts.extend(argument.bytes().filter(|&byte| byte != 0).chain([0]));
        }
        pointers.extend([0; WORD]);
        self.locals.resize(list, 0);
        self.locals.extend(pointers.into_iter().chain(texts));
        self.locals_size = self.locals.len();
        match self.locals_size <= LOCALS_SIZE {
            true => Ok(locals + list),
            false => Err("its arguments are too long".to_owned()),
        }
    }

    /// The thread-local variables of the thread that has them at `start`.
    pub(crate) fn locals_at(&self, start: usize) -> Range<usize> {
        start..start + self.locals_size
    }

    /// Thread-local variables at `start` get their initial values.
    pub(crate) fn start_locals(&self, start: usize) {
        if self.locals_size == 0 {
            // To set no bytes of a page that is not there yet takes the processor surprisingly long.
            return;
        }
        // SAFETY: the caller's region is large enough (see `load`), and nobody else's.
        unsafe {
            std::ptr::copy_nonoverlapping(self.locals.as_ptr(), start as *mut u8, self.locals.len());
            let rest = self.locals_size - self.locals.len();
            std::ptr::write_bytes((start + self.locals.len()) as *mut u8, 0, rest);
        }
    }
}

/// Functions of the unwinder that fill its tables, always in the same way.
const BEGIN_UNWINDER: &[&str] = &["init_dwarf_reg_size_table", "init_object_mutex"];

/// What the compiler adds to every program: it calls destructors, which the runtime calls itself.
const ADDED: &str = "__do_global_dtors_aux";

/// Functions that change the floating-point environment of a thread or look at it.
const FENV: &[&str] = &[
    "mazurka_sets_floating_modes",
    "feclearexcept",
    "fegetexceptflag",
    "feraiseexcept",
    "fesetexceptflag",
    "fetestexcept",
    "fegetround",
    "fesetround",
    "fegetenv",
    "feholdexcept",
    "fesetenv",
    "feupdateenv",
    "feenableexcept",
    "fedisableexcept",
    "fegetexcept",
    "fesetexcept",
    "fegetmode",
    "fesetmode",
];

/// The functions of the runtime whose answer or effect depends on what time it is: those of `calls::time` that look.
const CLOCKS: &[&str] = &[
    "__wrap_clock_nanosleep",
    "__wrap_clock_gettime",
    "__wrap_timespec_get",
    "__wrap_gettimeofday",
    "__wrap_time",
    "__wrap_clock",
];

/// The functions by which a program says what is to be called at its end.
const REGISTER_ENDS: &[&str] = &["__wrap_atexit", "__wrap___cxa_atexit"];

/// What the names in a program's file say.
#[derive(Default)]
struct Symbols {
    begin_unwinder: Vec<usize>,
    added: Vec<usize>,
    uses_fenv: bool,
    looks_at_clock: bool,
    registers_ends: bool,
}

impl Symbols {
    /// Those of a file that was loaded at `base`.
    fn read(path: &Path, base: usize) -> Option<Self> {
        let bytes = std::fs::read(path).ok()?;
        let file = object::File::parse(&*bytes).ok()?;
        let mut symbols = Symbols::default();
        for symbol in file.symbols().chain(file.dynamic_symbols()) {
            let Ok(name) = symbol.name() else { continue };
            let address = base + symbol.address() as usize;
            match name.split('@').next().unwrap_or(name) {
                ADDED => symbols.added.push(address),
                name if BEGIN_UNWINDER.contains(&name) => symbols.begin_unwinder.push(address),
                name if CLOCKS.contains(&name) => symbols.looks_at_clock = true,
                name if FENV.contains(&name) => symbols.uses_fenv = true,
                name if REGISTER_ENDS.contains(&name) => symbols.registers_ends = true,
                _ => {}
            }
        }
        Some(symbols)
    }
}

/// The program has an unwinder of its own. When an exception of its passes through a function of the runtime, such as
/// `pthread_once`, the one of this process is asked, too, which has to be in use by then.
fn prepare_unwinder() {
    let mut frame = std::ptr::null_mut();
    // SAFETY: room for one address.
    unsafe { libc::backtrace(&raw mut frame, 1) };
}

/// The C++ library counts references without atomic operations as long as the C library says that there is one thread.
fn run_as_if_threaded() {
    // SAFETY: the name of a byte, if there is one.
    let byte = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__libc_single_threaded".as_ptr()) }.cast::<u8>();
    if !byte.is_null() {
        // SAFETY: to say that there may be threads is always right.
        unsafe { byte.write_volatile(0) };
    }
}

fn copy(range: &Range<usize>) -> Vec<u8> {
    if range.is_empty() {
        return Vec::new();
    }
    // SAFETY: a range of the program that the loader mapped readable.
    unsafe { std::slice::from_raw_parts(range.start as *const u8, range.len()) }.to_vec()
}

fn loader_problem() -> String {
    // SAFETY: the text is the loader's until the next call of it.
    let text = unsafe { libc::dlerror() };
    if text.is_null() {
        return "the loader does not say why".to_owned();
    }
    // SAFETY: as above.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// The code that an address is in.
pub(crate) fn text_with(address: usize) -> Range<usize> {
    Segments::of(address).map_or(0..0, |segments| segments.text)
}

/// Where the parts of a loaded file are.
#[derive(Default)]
struct Segments {
    address: usize,
    base: usize,
    text: Range<usize>,
    globals: Range<usize>,
    locals: Range<usize>,
    locals_size: usize,
    module: usize,
    dynamic: Range<usize>,
    runs_on_stacks: bool,
    found: bool,
}

impl Segments {
    /// Of the file that has `address` in its code.
    fn of(address: usize) -> Option<Self> {
        let mut segments = Segments { address, ..Segments::default() };
        // SAFETY: `look` gets the pointer that is given here.
        unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut segments).cast()) };
        segments.found.then_some(segments)
    }

    fn read(&mut self, base: usize, headers: &[libc::Elf64_Phdr], module: usize) {
        let range = |header: &libc::Elf64_Phdr| {
            let start = base + header.p_vaddr as usize;
            start..start + header.p_memsz as usize
        };
        let is_code = |header: &&libc::Elf64_Phdr| header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_X != 0;
        let Some(code) = headers.iter().find(is_code).map(range).filter(|code| code.contains(&self.address)) else {
            return;
        };
        self.found = true;
        self.base = base;
        self.text = code;
        self.module = module;
        for header in headers {
            match header.p_type {
                libc::PT_LOAD if header.p_flags & libc::PF_W != 0 => self.globals = range(header),
                libc::PT_GNU_STACK => self.runs_on_stacks = header.p_flags & libc::PF_X != 0,
                libc::PT_DYNAMIC => self.dynamic = range(header),
                libc::PT_TLS => {
                    let at = range(header);
                    self.locals = at.start..at.start + header.p_filesz as usize;
                    self.locals_size = header.p_memsz as usize;
                }
                _ => {}
            }
        }
        // The loader made the first part of it read-only, up to a page.
        if let Some(constant) = headers.iter().find(|header| header.p_type == libc::PT_GNU_RELRO).map(range) {
            self.globals.start = self.globals.start.max(constant.end & !(PAGE - 1)).min(self.globals.end);
        }
    }
}

impl Segments {
    /// The functions of an array that has these tags in the dynamic section, for its place and for its bytes.
    fn functions(&self, [place, bytes]: [u64; 2]) -> Vec<usize> {
        let words = |range: Range<usize>| {
            let count = range.len() / size_of::<usize>();
            // SAFETY: a part of the program that the loader mapped and relocated.
            unsafe { std::slice::from_raw_parts(range.start as *const usize, count) }
        };
        let entries = words(self.dynamic.clone()).chunks_exact(2);
        let value = |tag: u64| entries.clone().find(|entry| entry[0] as u64 == tag).map(|entry| entry[1]);
        match (value(place), value(bytes)) {
            (Some(place), Some(bytes)) if bytes > 0 => {
                let start = self.base + place;
                words(start..start + bytes)
                    .iter()
                    .copied()
                    .filter(|&function| !matches!(function, 0 | usize::MAX))
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

const PAGE: usize = 4096;

/// # Safety
/// Called by the loader, with what was given to it in `Segments::of`.
unsafe extern "C" fn look(info: *mut libc::dl_phdr_info, _: usize, data: *mut c_void) -> c_int {
    // SAFETY: promised by the caller.
    let (info, segments) = unsafe { (&*info, &mut *data.cast::<Segments>()) };
    // SAFETY: the loader's table.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    segments.read(info.dlpi_addr as usize, headers, info.dlpi_tls_modid);
    c_int::from(segments.found)
}

/// A text of C.
///
/// # Safety
/// `text` is null or a text that ends with a zero.
pub(crate) unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: promised by the caller.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
