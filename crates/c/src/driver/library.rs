//! The table of functions that a program may take from outside its own text: what is known of each.
//!
//! | list | what a call of its functions is |
//! |---|---|
//! | [`super::wrapped::WRAPPED`] | modelled by the runtime, or refused by it when it is called |
//! | [`COMPILED`] | a call of a function that is compiled with the program, so that its accesses are the program's |
//! | [`PURE`] | a computation: it touches no memory of the program, and its result depends on nothing but its arguments |
//! | [`DATA`] | no call, but a variable of the C library, which the program may read |
//! | [`CPP`] | a function of the C++ library that accesses its own objects alone, or whose accesses are announced |
//!
//! Whatever is in none of them is refused by its name.

/// A part of the C library that is compiled with the program.
pub(crate) struct Part {
    /// The name of its file.
    pub(crate) file: &'static str,
    pub(crate) text: &'static str,
    /// The functions of the C library that it has in their place.
    pub(crate) functions: &'static str,
}

macro_rules! part {
    ($file:literal, $($functions:literal),+ $(,)?) => {
        Part {
            file: $file,
            text: include_str!(concat!("../../runtime/library/", $file)),
            functions: concat!($($functions, " "),+),
        }
    };
}

/// The headers of parts.
pub(crate) const HEADERS: &[(&str, &str)] = &[
    ("library.h", include_str!("../../runtime/library/library.h")),
    ("files.h", include_str!("../../runtime/library/files.h")),
];

/// The parts, and what each has.
pub(crate) const COMPILED: &[Part] = &[
    part!(
        "string.c",
        "mempcpy bzero explicit_bzero bcopy bcmp memrchr rawmemchr memccpy memmem swab strchrnul strrchr index rindex strspn",
        "strcspn strpbrk strstr strncasecmp strcasecmp strcasestr strtok_r __strtok_r strtok strsep stpncpy strlcpy strlcat",
        "strcoll strxfrm strerror strerror_r __xpg_strerror_r wcslen wmemcpy wmemmove wmemset wmemcmp wmemchr wcscpy wcscat",
        "wcscmp wcschr",
    ),
    part!(
        "stdlib.c",
        "qsort qsort_r bsearch lfind lsearch strtol strtoll strtoul strtoull strtoimax strtoumax strtod strtof strtold atoi",
        "atol atoll atof reallocarray valloc pvalloc realpath getcwd get_current_dir_name access gethostname frexp frexpf",
        "frexpl modf modff modfl remquo remquof remquol sincos sincosf sincosl at_quick_exit quick_exit",
    ),
    part!(
        "time.c",
        "localtime localtime_r gmtime gmtime_r mktime timegm strftime asctime asctime_r ctime ctime_r clock_getres",
    ),
    part!(
        "print.c",
        "printf vprintf fprintf vfprintf dprintf vdprintf sprintf vsprintf snprintf vsnprintf asprintf vasprintf puts fputs",
        "putchar putc fputc _IO_putc fwrite perror write putc_unlocked fputc_unlocked putchar_unlocked fputs_unlocked",
        "fwrite_unlocked",
    ),
    part!("scan.c", "sscanf vsscanf __isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf"),
    part!("files.c", "open open64 openat close read pread lseek lseek64 fstat stat lstat isatty"),
    part!(
        "streams.c",
        "fopen fopen64 fclose fgetc getc getchar getc_unlocked getchar_unlocked __uflow ungetc fgets fread getdelim __getdelim",
        "getline fseek fseeko ftell ftello rewind clearerr feof ferror fileno feof_unlocked ferror_unlocked fileno_unlocked",
        "flockfile funlockfile ftrylockfile",
    ),
    part!(
        "options.c",
        "getopt getopt_long getopt_long_only setlocale getpid getppid gettid sched_getcpu getenv secure_getenv",
    ),
    part!(
        "threads.c",
        "pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype pthread_mutexattr_setprotocol",
        "pthread_mutexattr_setpshared pthread_mutexattr_setrobust pthread_mutexattr_gettype pthread_condattr_init",
        "pthread_condattr_destroy pthread_condattr_setclock pthread_condattr_setpshared pthread_rwlockattr_init",
        "pthread_rwlockattr_destroy pthread_rwlockattr_setpshared pthread_rwlockattr_setkind_np pthread_barrierattr_init",
        "pthread_barrierattr_destroy pthread_barrierattr_setpshared pthread_attr_init pthread_attr_setdetachstate",
        "pthread_attr_setstacksize pthread_attr_setguardsize pthread_attr_setschedpolicy pthread_attr_setscope",
        "pthread_attr_setinheritsched pthread_attr_setschedparam pthread_attr_getdetachstate pthread_attr_getstacksize",
        "pthread_attr_destroy",
    ),
    // Nothing of the C library.
    part!("verifier.c", ""),
    part!(
        "containers.c",
        "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
        "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
        "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
        "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_ _ZNSt8__detail15_List_node_base7_M_hookEPS0_",
        "_ZNSt8__detail15_List_node_base9_M_unhookEv _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_",
        "_ZNSt8__detail15_List_node_base10_M_reverseEv _ZNSt8__detail15_List_node_base4swapERS0_S1_",
        "_ZSt11_Hash_bytesPKvmm _ZSt15_Fnv_hash_bytesPKvmm _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm",
        "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm",
    ),
];

/// Variables of the C library.
pub(crate) const DATA: &[&str] = &[
    "stdin",
    "stdout",
    "stderr",
    "environ",
    "__environ",
    "program_invocation_name",
    "program_invocation_short_name",
    "__progname",
    "timezone",
    "daylight",
    "tzname",
    "__libc_single_threaded",
];

/// Functions that touch no memory of the program.
pub(crate) const PURE: &[&str] = &[
    // Characters
    "isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit toascii tolower",
    "toupper __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph",
    "iswlower iswprint iswpunct iswspace iswupper iswxdigit towlower towupper wctype iswctype __ctype_get_mb_cur_max btowc wctob",
    // Numbers
    "abs labs llabs imaxabs div ldiv lldiv imaxdiv ffs ffsl ffsll",
    // What the program is told of itself and its machine
    "__errno_location getuid geteuid getgid getegid getpagesize sysconf get_nprocs",
    "get_nprocs_conf",
    "pthread_equal pthread_setconcurrency pthread_getconcurrency pthread_setcancelstate pthread_testcancel __sched_cpucount",
    "sched_get_priority_min sched_get_priority_max",
    // Floating point
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 exp2 expm1 fabs fdim finite floor fma",
    "fmax fmin fmod gamma hypot ilogb isinf isnan j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint",
    "lround nearbyint nextafter nexttoward pow pow10 remainder rint round roundeven scalb scalbln scalbn significand sin sinh sqrt",
    "tan tanh tgamma trunc y0 y1 yn",
    "acosf acoshf asinf asinhf atanf atan2f atanhf cbrtf ceilf copysignf cosf coshf erff erfcf expf exp10f exp2f expm1f fabsf",
    "fdimf floorf fmaf fmaxf fminf fmodf hypotf ilogbf ldexpf lgammaf llrintf llroundf logf log10f log1pf log2f logbf",
    "lrintf lroundf nearbyintf nextafterf nexttowardf powf remainderf rintf roundf scalblnf scalbnf sinf sinhf sqrtf tanf tanhf",
    "tgammaf truncf",
    "acosl acoshl asinl asinhl atanl atan2l atanhl cbrtl ceill copysignl cosl coshl erfl erfcl expl exp10l exp2l expm1l fabsl",
    "fdiml floorl fmal fmaxl fminl fmodl hypotl ilogbl ldexpl lgammal llrintl llroundl logl log10l log1pl log2l logbl",
    "lrintl lroundl nearbyintl nextafterl nexttowardl powl remainderl rintl roundl scalblnl scalbnl sinl sinhl sqrtl tanl tanhl",
    "tgammal truncl",
    "cabs carg cimag creal conj cproj cexp clog cpow csqrt csin ccos ctan csinh ccosh ctanh casin cacos catan casinh cacosh",
    "catanh cabsf cargf conjf cexpf clogf cpowf csqrtf csinf ccosf cabsl cargl conjl cexpl clogl cpowl csqrtl",
    "__isnan __isnanf __isnanl __isinf __isinff __isinfl __finite __finitef __finitel __signbit __signbitf __signbitl",
    "__fpclassify __fpclassifyf __fpclassifyl __issignaling fesetround fegetround feclearexcept feraiseexcept fetestexcept",
    "difftime",
    // The compiler's and the loader's own
    "__stack_chk_fail __gcc_personality_v0 __gmon_start__ __cxa_pure_virtual _setjmp setjmp __sigsetjmp",
    "malloc_trim mallopt",
];

/// What functions and variables of the C++ library begin with, by the names that people read.
pub(crate) const CPP: &[&str] = &[
    "operator new",
    "operator delete",
    "__cxxabiv1::",
    "__gnu_cxx::__verbose_terminate_handler",
    "__gnu_cxx::__freeres",
    "std::__throw_",
    "std::terminate",
    "std::set_terminate",
    "std::get_terminate",
    "std::unexpected",
    "std::uncaught_exception",
    "std::current_exception",
    "std::rethrow_exception",
    "std::__exception_ptr::",
    "std::nested_exception::",
    "std::exception::",
    "std::bad_",
    "std::logic_error::",
    "std::domain_error::",
    "std::invalid_argument::",
    "std::length_error::",
    "std::out_of_range::",
    "std::runtime_error::",
    "std::range_error::",
    "std::overflow_error::",
    "std::underflow_error::",
    "std::system_error::",
    "std::future_error::",
    "std::type_info::",
    "std::_V2::",
    "std::generic_category",
    "std::system_category",
    "std::future_category",
    "std::iostream_category",
    "std::error_category::",
    "std::error_code::",
    "std::error_condition::",
    "std::__cow_string::",
    "std::__glibcxx_assert_fail",
    "std::nothrow",
    "std::get_new_handler",
    "std::set_new_handler",
    "std::allocator<",
    "std::__new_allocator<",
    "__gnu_cxx::new_allocator<",
    "std::thread::",
    "std::this_thread::",
    "std::__once_",
    "std::__get_once_",
    "std::__set_once_",
    "__once_proxy",
    "std::condition_variable",
    "std::__condvar::",
    "std::notify_all_at_thread_exit",
    "std::__at_thread_exit_elt::",
    "std::mutex::",
    "std::_Sp_locker::",
    "std::_Sp_make_shared_tag::",
    "std::__future_base::",
    "std::__atomic_futex_unsigned_base::",
    "std::chrono::",
    "std::random_device::",
    "std::pmr::new_delete_resource",
    "std::pmr::null_memory_resource",
    "std::pmr::get_default_resource",
    "std::pmr::memory_resource::",
    "std::align(",
    "std::ios_base::",
    "std::basic_ios<",
    "std::ios::",
    "std::ctype<",
    "std::ctype_base::",
    "std::ostream::",
    "std::ostream& std::",
    "std::basic_ostream<",
    "std::__ostream_insert<",
    "std::endl<",
    "std::flush<",
    "std::ends<",
    "std::operator<<",
    "std::cout",
    "std::cerr",
    "std::clog",
    "std::wcout",
    "std::wcerr",
    "std::basic_streambuf<",
    "std::streambuf::",
    "std::__cxx11::basic_stringbuf<",
    "std::__cxx11::basic_stringstream<",
    "std::__cxx11::basic_ostringstream<",
    "std::__cxx11::basic_istringstream<",
];

/// The functions of a list that are separated by spaces.
pub(crate) fn names(list: &'static [&'static str]) -> impl Iterator<Item = &'static str> {
    list.iter().flat_map(|names| names.split_whitespace())
}

/// The functions that are compiled with the program.
pub(crate) fn compiled() -> impl Iterator<Item = &'static str> {
    COMPILED.iter().flat_map(|part| part.functions.split_whitespace())
}

/// What functions begin with that the runtime has for compilers and for programs that speak to it.
const OF_RUNTIME: &[&str] = &[
    "__mazurka_blind_",
    "__tsan_",
    "mazurka_",
    "mzk_",
    "__VERIFIER_",
    "Annotate",
    "__atomic_",
    "__ubsan_handle_divrem_overflow_abort",
    "reach_error",
];

/// Whether a function or variable that is not in the program itself may be used.
pub(crate) fn is_known(symbol: &str) -> bool {
    OF_RUNTIME.iter().any(|prefix| symbol.starts_with(prefix))
        || super::wrapped::WRAPPED.contains(&symbol)
        || compiled().chain(names(PURE)).any(|name| name == symbol)
        || DATA.contains(&symbol)
        || is_known_cpp(symbol)
}

fn is_known_cpp(symbol: &str) -> bool {
    // Tables of virtual functions, descriptions of types, guards of statics.
    if symbol.starts_with("_ZT") || symbol.starts_with("_ZGV") {
        return true;
    }
    if !symbol.starts_with("_Z") {
        return false;
    }
    let readable = demangled(symbol);
    CPP.iter().any(|prefix| readable.starts_with(prefix))
}

/// The name of a function as people read it.
pub(crate) fn demangled(symbol: &str) -> String {
    match symbol.starts_with("_Z") {
        true => addr2line::demangle(symbol, gimli::DW_LANG_C_plus_plus).unwrap_or_else(|| symbol.to_owned()),
        false => symbol.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// The page that says what is in the table.
    fn page() -> String {
        let mut text = include_str!("library_page.md").to_owned();
        let mut list = |title: &str, what: &str, names: &mut dyn Iterator<Item = &str>| {
            let mut names: Vec<&str> = names.collect();
            names.sort_unstable();
            let names: Vec<String> = names.iter().map(|name| format!("`{}`", name.trim_end())).collect();
            text += &format!("\n## {title}\n\n{what}\n\n{}\n", names.join(" "));
        };
        let is_refused = |name: &&str| crate::calls::REFUSED.contains(name);
        let wrapped = super::super::wrapped::WRAPPED.iter().copied();
        list(
            "Modelled",
            "The runtime has functions of its own.",
            &mut wrapped.clone().filter(|name| !is_refused(name)),
        );
        for part in COMPILED.iter().filter(|part| !part.functions.trim().is_empty()) {
            let title = format!("Compiled with the program: {}", part.file);
            list(&title, "Accesses are the program's.", &mut part.functions.split_whitespace());
        }
        list("Pure", "They touch no memory of the program.", &mut names(PURE));
        list("Variables", "The program may read them.", &mut DATA.iter().copied());
        list("The C++ library", "What begins with one of these, as people read it.", &mut CPP.iter().copied());
        list("Refused when called", "The message says why.", &mut wrapped.filter(is_refused));
        text
    }

    /// `MAZURKA_BLESS=1` writes the page.
    #[test]
    fn the_page_says_what_the_table_says() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/c-library.md");
        if std::env::var_os("MAZURKA_BLESS").is_some() {
            std::fs::write(path, page()).unwrap();
        }
        assert!(
            std::fs::read_to_string(path).unwrap() == page(),
            "docs/c-library.md is old: run this with MAZURKA_BLESS=1"
        );
    }

    #[test]
    fn every_function_is_in_one_list() {
        let mut seen = HashSet::new();
        let all = super::super::wrapped::WRAPPED
            .iter()
            .copied()
            .chain(compiled())
            .chain(names(PURE))
            .chain(DATA.iter().copied());
        for name in all {
            assert!(seen.insert(name), "{name} is in two lists");
        }
    }

    #[test]
    fn parts_have_what_the_table_says() {
        for part in COMPILED {
            for name in part.functions.split_whitespace() {
                let has =
                    |text: &str| text.contains(&format!("__wrap_{name}(")) || text.contains(&format!("({name}, "));
                // Some are made by macros, of a name and a suffix.
                let has_stem = |stem: &str| part.text.contains(&format!("__wrap_{stem}##suffix("));
                let by_macro = has_stem(name) || name.strip_suffix(['f', 'l']).is_some_and(has_stem);
                assert!(has(part.text) || by_macro, "{}: {name}", part.file);
            }
        }
    }

    #[test]
    fn names_of_cpp_are_known_by_what_they_begin_with() {
        assert!(is_known("_ZNSt6thread4joinEv"));
        assert!(is_known("_ZSt17__throw_bad_allocv"));
        assert!(is_known("_ZTVSt13runtime_error"));
        assert!(!is_known("_ZNSirsERi"), "what it writes is not seen");
        assert!(!is_known("_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextE"));
    }

    #[test]
    fn what_is_in_no_list_is_not_known() {
        for name in ["tsearch", "GOMP_parallel", "open_memstream", "fscanf", "iconv"] {
            assert!(!is_known(name), "{name}");
        }
        for name in ["__tsan_read4", "qsort", "malloc", "sinf", "stdout", "fork"] {
            assert!(is_known(name), "{name}");
        }
    }
}
