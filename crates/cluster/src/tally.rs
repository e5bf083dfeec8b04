//! Tallies as numbers in a row.

use trace::Tally;

/// A column for each count, and whether it is a maximum: those of several workers are not added up.
pub(crate) const COUNTS: [(&str, bool); 16] = [
    ("completed", false),
    ("deadlocked", false),
    ("failed", false),
    ("cut", false),
    ("sleep_set_blocked", false),
    ("too_long", false),
    ("out_of_bounds", false),
    ("cut_off", false),
    ("pruned", false),
    ("steps", false),
    ("replayed", false),
    ("longest", true),
    ("largest_tree", true),
    ("events_made", false),
    ("events_live", true),
    ("over_budget", false),
];

/// In the order of [`COUNTS`].
pub(crate) fn to_numbers(tally: &Tally) -> Vec<i64> {
    let mut tally = *tally;
    fields(&mut tally).map(|count| i64::try_from(*count).unwrap_or(i64::MAX)).to_vec()
}

/// From numbers in the order of [`COUNTS`]; what is missing is 0.
pub(crate) fn from_numbers(numbers: &[i64]) -> Tally {
    let mut tally = Tally::default();
    for (count, &number) in fields(&mut tally).into_iter().zip(numbers) {
        *count = u64::try_from(number).unwrap_or(0);
    }
    tally
}

fn fields(tally: &mut Tally) -> [&mut u64; 16] {
    let Tally {
        completed,
        deadlocked,
        failed,
        cut,
        sleep_set_blocked,
        too_long,
        out_of_bounds,
        cut_off,
        pruned,
        steps,
        replayed,
        longest,
        largest_tree,
        events_made,
        events_live,
        over_budget,
    } = tally;
    [
        completed,
        deadlocked,
        failed,
        cut,
        sleep_set_blocked,
        too_long,
        out_of_bounds,
        cut_off,
        pruned,
        steps,
        replayed,
        longest,
        largest_tree,
        events_made,
        events_live,
        over_budget,
    ]
}

/// The counts of all workers of a version of a run, as one array: what a `SELECT` says of rows of `mazurka_tally`.
pub(crate) fn sums() -> String {
    let sum = |(name, is_max): &(&str, bool)| {
        let function = if *is_max { "max" } else { "sum" };
        format!("coalesce({function}({name}), 0)::bigint")
    };
    format!("ARRAY[{}]", COUNTS.iter().map(sum).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_has_a_column_of_its_own() {
        let numbers: Vec<i64> = (1..=16).collect();
        assert_eq!(to_numbers(&from_numbers(&numbers)), numbers);
        let mut both = from_numbers(&numbers);
        both.add(&from_numbers(&numbers));
        for ((count, (name, is_max)), number) in to_numbers(&both).into_iter().zip(COUNTS).zip(numbers) {
            assert_eq!(count, if is_max { number } else { 2 * number }, "{name}");
        }
    }
}
