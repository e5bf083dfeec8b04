use mazurka_laws as laws;
use explore::SchedulingOrder;
use litmus::{LitmusProgram, Sketch};

fn classes(text: &str) -> usize {
    let p = LitmusProgram::new(text.parse::<Sketch>().unwrap()).unwrap();
    let orders: Vec<_> = SchedulingOrder::ALL.iter().map(|o| o.1).collect();
    match laws::check(&p, &orders, 1_000_000).unwrap_or_else(|v| panic!("{text}: {v}")) {
        laws::Checked::Holds { classes } => classes,
        laws::Checked::TooLarge => panic!("too large"),
    }
}

#[test]
fn small() {
    assert_eq!(classes("var x; x = 1 | r = x"), 2);
    assert_eq!(classes("var x; x = 1 | x = 2 | r = x| r = x"), 18);
    assert_eq!(classes("var x; x += 2 | x += 2 | x += 1 | await x == 1"), 2);
    assert_eq!(classes("mutex m; lock m; unlock m | lock m; unlock m | lock m; unlock m"), 6);
    assert_eq!(classes("mutex m; lock m | lock m | lock m"), 3);
    assert_eq!(classes("rwlock l; read_lock l; read_unlock l | read_lock l; read_unlock l | write_lock l; write_unlock l"), 4);
    assert_eq!(classes("condvar c; mutex m; lock m; wait c, m; unlock m | lock m; wait c, m; unlock m | notify_one c"), 0);
}
