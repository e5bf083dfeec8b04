//! Functions whose code is known, each of which calls something and is looked at where that returns.

use super::*;
use core::arch::naked_asm;

extern "C" fn called() {}

/// What is known of the places to which the calls of a function return, in their order.
fn calls(function: usize) -> Vec<Call> {
    let mut found = Found::default();
    let code = Function::at(function + 1, &mut Returns::default()).expect("it is a function");
    let behind = code.instructions.iter().filter(|instruction| instruction.is_call_near()).map(|call| call.next_ip());
    behind.map(|place| call(&mut found, place as usize).expect("it is understood")).collect()
}

/// Uses `rbx` after the call, and `r12` only when it has overwritten it.
#[unsafe(naked)]
extern "C" fn one_register_is_read() {
    naked_asm!(
        ".cfi_startproc",
        "push rbx",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbx, -16",
        "push r12",
        ".cfi_def_cfa_offset 24",
        ".cfi_offset r12, -24",
        "sub rsp, 8",
        ".cfi_def_cfa_offset 32",
        "mov rbx, rdi",
        "mov r12, rsi",
        "call {called}",
        "mov r12d, 5",
        "lea rax, [rbx + r12]",
        "add rsp, 8",
        ".cfi_def_cfa_offset 24",
        "pop r12",
        ".cfi_def_cfa_offset 16",
        "pop rbx",
        ".cfi_def_cfa_offset 8",
        "ret",
        ".cfi_endproc",
        called = sym called,
    )
}

#[test]
fn what_is_overwritten_before_it_is_read_is_dead() {
    let [call] = &calls(one_register_is_read as *const () as usize)[..] else { panic!("one call") };
    assert_eq!(call.reads, [true, false, false, false, false, false]);
    assert_eq!(call.row.height, Some(32));
    assert_eq!(call.row.saved, [Some(-16), None, Some(-24), None, None, None]);
    assert_eq!(call.dead, []);
}

/// Part of `r12` is written, which is not all of it; and a jump to nobody knows where reads everything.
#[unsafe(naked)]
extern "C" fn part_of_a_register() {
    naked_asm!(
        ".cfi_startproc",
        "push r12",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset r12, -16",
        "call {called}",
        "mov r12b, 5",
        "movzx eax, r12b",
        "call {called}",
        "jmp rax",
        ".cfi_endproc",
        called = sym called,
    )
}

#[test]
fn what_is_not_understood_reads_everything() {
    let [first, second] = &calls(part_of_a_register as *const () as usize)[..] else { panic!("two calls") };
    assert!(first.reads[2] && second.reads.iter().all(|&reads| reads));
}

/// A frame with two slots: the first is read in the second round only.
#[unsafe(naked)]
extern "C" fn slots() {
    naked_asm!(
        ".cfi_startproc",
        "sub rsp, 24",
        ".cfi_def_cfa_offset 32",
        "mov qword ptr [rsp], rdi",
        "mov qword ptr [rsp + 8], rsi",
        "call {called}",
        "mov rax, qword ptr [rsp + 8]",
        "call {called}",
        "mov dword ptr [rsp], 7",
        "mov eax, dword ptr [rsp]",
        "call {called}",
        "add rsp, 24",
        ".cfi_def_cfa_offset 8",
        "ret",
        ".cfi_endproc",
        called = sym called,
    )
}

#[test]
fn slots_are_dead_until_they_are_written_again() {
    let dead: Vec<Vec<i64>> = calls(slots as *const () as usize).into_iter().map(|call| call.dead).collect();
    assert_eq!(dead, [vec![-32], vec![-32, -24, -20], vec![-32, -24, -20]]);
}

/// As [`slots`], but what it calls gets the address of the frame.
#[unsafe(naked)]
extern "C" fn slots_that_are_shared() {
    naked_asm!(
        ".cfi_startproc",
        "sub rsp, 24",
        ".cfi_def_cfa_offset 32",
        "mov qword ptr [rsp + 8], rsi",
        "lea rdi, [rsp + 16]",
        "call {called}",
        "mov rax, qword ptr [rsp + 8]",
        "call {called}",
        "add rsp, 24",
        ".cfi_def_cfa_offset 8",
        "ret",
        ".cfi_endproc",
        called = sym called,
    )
}

#[test]
fn nothing_is_dead_in_a_frame_whose_address_is_known() {
    assert!(calls(slots_that_are_shared as *const () as usize).iter().all(|call| call.dead.is_empty()));
}

/// Three calls: after the first two, the same is done, by other conditions and jumps; after the third, something else.
#[unsafe(naked)]
extern "C" fn copies() {
    naked_asm!(
        ".cfi_startproc",
        "push rbx",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbx, -16",
        "call {called}",
        "test al, al",
        "jne 3f",
        "jmp 2f",
        "2:",
        "nop",
        "call {called}",
        "test al, al",
        "je 2b",
        "3:",
        "call {called}",
        "test al, al",
        "je 3b",
        "pop rbx",
        ".cfi_def_cfa_offset 8",
        "ret",
        ".cfi_endproc",
        called = sym called,
    )
}

#[test]
fn copies_of_code_are_one_place() {
    let places: Vec<usize> = calls(copies as *const () as usize).into_iter().map(|call| call.place).collect();
    assert!(places[0] == places[1] && places[1] != places[2], "{places:x?}");
}

/// A destructor runs when the call unwinds, and reads a register that is dead otherwise.
#[inline(never)]
fn has_a_landing(f: fn()) -> usize {
    struct Told(usize);
    impl Drop for Told {
        fn drop(&mut self) {
            std::hint::black_box(self.0);
        }
    }
    let told = Told(std::hint::black_box(3));
    f();
    let same = told.0;
    std::mem::forget(told);
    same
}

#[test]
fn landings_are_known() {
    assert_eq!(has_a_landing(|| ()), 3);
    let code =
        Function::at(has_a_landing as *const () as usize + 1, &mut Returns::default()).expect("it is a function");
    let has_landing = |next: &function::Next| next.landing.is_some();
    assert!(code.next.iter().any(has_landing));
}

#[test]
fn all_of_this_library_is_understood() {
    let functions = [
        std::thread::park as *const () as usize,
        find as *const () as usize,
        Found::default as *const () as usize,
        Function::at as *const () as usize,
    ];
    for function in functions {
        let code = Function::at(function + 1, &mut Returns::default()).expect("it is a function");
        assert_eq!(code.tables.start, function);
        assert_eq!(same::classes(&code).len(), code.instructions.len());
    }
}

/// The result of the first call is read, that of the second one overwritten, and that of the third one returned.
#[unsafe(naked)]
extern "C" fn results() {
    naked_asm!(
        ".cfi_startproc",
        "sub rsp, 8",
        ".cfi_def_cfa_offset 16",
        "call {called}",
        "mov edi, eax",
        "call {called}",
        "xor edi, edi",
        "call {called}",
        "add rsp, 8",
        ".cfi_def_cfa_offset 8",
        "ret",
        ".cfi_endproc",
        called = sym called,
    )
}

#[test]
fn a_result_is_read_or_not() {
    let calls = calls(results as *const () as usize).into_iter();
    let reads: Vec<(bool, bool)> = calls.map(|call| (call.reads_result, call.returns_result)).collect();
    assert_eq!(reads, [(true, false), (false, false), (false, true)]);
}

#[cold]
#[inline(never)]
extern "C" fn never_returns() {
    std::process::abort()
}

/// Behind a call that does not come back stands the code of another way, which reads `rbx`; the same call by the table of addresses.
#[unsafe(naked)]
extern "C" fn calls_what_never_returns() {
    naked_asm!(
        ".cfi_startproc",
        "push rbx",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbx, -16",
        "call {called}",
        "test eax, eax",
        "je 2f",
        "cmp eax, 1",
        "je 3f",
        "mov ebx, 1",
        "4:",
        "mov eax, ebx",
        "pop rbx",
        ".cfi_def_cfa_offset 8",
        "ret",
        ".cfi_def_cfa_offset 16",
        "3:",
        "call qword ptr [rip + {aborts}@GOTPCREL]",
        "2:",
        "call {never_returns}",
        "jmp 4b",
        ".cfi_endproc",
        called = sym called,
        never_returns = sym never_returns,
        aborts = sym never_returns,
    )
}

#[test]
fn nothing_comes_after_a_call_that_does_not_come_back() {
    let [call, ..] = &calls(calls_what_never_returns as *const () as usize)[..] else { panic!("a call") };
    assert_eq!(call.reads, [false; REGISTERS]);
}

#[test]
fn what_comes_back_and_what_does_not() {
    let jumps_away = jumps_away as *const () as usize;
    let mut returns = Returns::default();
    let comes_back = |returns: &mut Returns, function: usize| returns.may_return(function, returns::MOST_JUMPS);
    assert!(comes_back(&mut returns, called as *const () as usize));
    assert!(!comes_back(&mut returns, never_returns as *const () as usize));
    assert!(!comes_back(&mut returns, jumps_away));
    // In the middle of a function, or of none, nothing is known.
    assert!(comes_back(&mut returns, jumps_away + 1) && comes_back(&mut returns, 8));
}

/// Leaves itself by a jump only, to what does not come back.
#[unsafe(naked)]
extern "C" fn jumps_away() {
    naked_asm!(
        ".cfi_startproc",
        "test edi, edi",
        "je 2f",
        "2:",
        "jmp {never_returns}",
        ".cfi_endproc",
        never_returns = sym never_returns,
    )
}
