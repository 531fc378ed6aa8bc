//! The figures as the two papers print them. `BOTTOM` stands for a run that did not get through.

/// ⊥ in the papers.
pub(super) const BOTTOM: f64 = f64::INFINITY;

/// A row: the name of the example and its figures.
pub(super) type Row<const N: usize> = (&'static str, [f64; N]);

/// Paper 1, table 1: time and space relative to the baseline; packed, equality only.
#[rustfmt::skip]
pub(super) const EQUALITY: [Row<2>; 9] = [
    ("Field Bus (Faulty 1)", [BOTTOM, BOTTOM]), ("Field Bus (Faulty 2)", [BOTTOM, BOTTOM]),
    ("Field Bus (Faulty 3)", [BOTTOM, BOTTOM]), ("Field Bus (Fixed)", [BOTTOM, BOTTOM]),
    ("B&O", [1.09, 0.48]), ("DACAPO (big)", [1.14, 0.47]), ("DACAPO (small)", [1.30, 0.78]),
    ("Fischer 5", [0.90, 0.47]), ("Fischer 6", [0.54, 0.33]),
];

/// Table 2: the same with inclusion by division.
#[rustfmt::skip]
pub(super) const NUMBER: [Row<2>; 9] = [
    ("Field Bus (Faulty 1)", [3.70, 0.30]), ("Field Bus (Faulty 2)", [4.34, 0.29]),
    ("Field Bus (Faulty 3)", [8.21, 0.28]), ("Field Bus (Fixed)", [5.88, 0.29]),
    ("B&O", [2.81, 0.51]), ("DACAPO (big)", [4.81, 0.37]), ("DACAPO (small)", [2.23, 0.65]),
    ("Fischer 5", [5.82, 0.45]), ("Fischer 6", [12.88, 0.28]),
];

/// Table 3: zones as bit strings.
#[rustfmt::skip]
pub(super) const BITS: [Row<2>; 9] = [
    ("Field Bus (Faulty 1)", [0.97, 0.64]), ("Field Bus (Faulty 2)", [0.97, 0.61]),
    ("Field Bus (Faulty 3)", [0.92, 0.57]), ("Field Bus (Fixed)", [0.99, 0.65]),
    ("B&O", [0.97, 0.61]), ("DACAPO (big)", [0.97, 0.48]), ("DACAPO (small)", [1.02, 0.77]),
    ("Fischer 5", [0.77, 0.50]), ("Fischer 6", [0.60, 0.35]),
];

/// Table 4: gain in time and in space by inclusion on the waiting list, per cent.
#[rustfmt::skip]
pub(super) const WAITING: [Row<2>; 9] = [
    ("Field Bus (Faulty 1)", [54.50, 6.00]), ("Field Bus (Faulty 2)", [62.95, 8.07]),
    ("Field Bus (Faulty 3)", [37.34, 4.08]), ("Field Bus (Fixed)", [52.64, 7.70]),
    ("B&O", [7.11, 0.00]), ("DACAPO (big)", [64.17, 13.29]), ("DACAPO (small)", [85.15, 45.15]),
    ("Fischer 5", [-14.31, 3.15]), ("Fischer 6", [-23.51, 3.44]),
];

/// Table 5: per mille of the states omitted by supertrace with 16, 32 and 64 MB.
#[rustfmt::skip]
pub(super) const SUPERTRACE: [Row<3>; 6] = [
    ("Philips (correct)", [5.71, 5.71, 5.71]), ("B&O", [21.62, 16.07, 3.49]),
    ("DACAPO (big)", [13.05, 13.74, 4.39]), ("DACAPO (small)", [5.96, 4.17, 3.13]),
    ("Fischer 5", [0.64, 0.35, 0.04]), ("Fischer 6", [12.29, 6.30, 3.12]),
];

/// Table 6: seconds of supertrace with 16, 32, 64 MB; of the exact list with equality, and with inclusion.
#[rustfmt::skip]
pub(super) const SUPERTRACE_TIME: [Row<5>; 7] = [
    ("Philips (correct)", [2.39, 2.58, 2.97, 2.18, 1.91]),
    ("Philips (faulty)", [98.83, 98.18, 102.20, 270.91, 22.22]),
    ("B&O", [15.59, 16.20, 16.30, 17.37, 16.57]), ("DACAPO (big)", [268.32, 268.04, 269.67, 294.77, 254.01]),
    ("DACAPO (small)", [15.32, 15.47, 15.90, 15.56, 12.45]), ("Fischer 5", [11.57, 13.01, 12.20, 18.53, 14.36]),
    ("Fischer 6", [688.28, 681.67, 686.75, 1675.04, 1217.88]),
];

/// Table 7: per mille omitted with 7-bit signatures: of whole states, then with packed zones.
#[rustfmt::skip]
pub(super) const SEVEN_BITS: [Row<6>; 7] = [
    ("Philips (correct)", [0.0; 6]), ("Philips (faulty)", [BOTTOM, BOTTOM, BOTTOM, 0.0, 0.0, 0.0]),
    ("B&O", [0.80, 1.17, 0.81, 2.25, 0.29, 0.0]), ("DACAPO (big)", [0.94, 0.65, 0.21, BOTTOM, BOTTOM, 0.19]),
    ("DACAPO (small)", [0.54, 0.19, 0.10, 0.13, 0.14, 0.02]), ("Fischer 5", [0.0, 0.0, 0.05, 0.0, 0.0, 0.0]),
    ("Fischer 6", [0.95, 0.44, 0.19, 0.08, 0.02, 0.03]),
];

/// Table 8: seconds with 47-bit signatures, and of the exact list last.
#[rustfmt::skip]
pub(super) const SIGNATURE_TIME: [Row<7>; 11] = [
    ("Field Bus (Faulty 1)", [BOTTOM, BOTTOM, BOTTOM, BOTTOM, 140.86, 144.73, 148.12]),
    ("Field Bus (Faulty 2)", [BOTTOM, BOTTOM, BOTTOM, BOTTOM, 211.41, 215.45, 218.17]),
    ("Field Bus (Faulty 3)", [BOTTOM, BOTTOM, BOTTOM, BOTTOM, BOTTOM, BOTTOM, 1296.95]),
    ("Field Bus (Fixed)", [BOTTOM, BOTTOM, BOTTOM, BOTTOM, BOTTOM, 464.89, 488.39]),
    ("Philips (correct)", [3.30, 3.46, 3.82, 2.19, 2.32, 2.61, 1.89]),
    ("Philips (faulty)", [BOTTOM, BOTTOM, BOTTOM, 23.11, 23.05, 23.40, 22.84]),
    ("B&O", [22.62, 22.78, 22.83, 20.00, 20.11, 20.32, 16.45]),
    ("DACAPO (big)", [304.24, 305.09, 303.44, BOTTOM, 256.77, 256.35, 259.87]),
    ("DACAPO (small)", [19.11, 19.25, 19.64, 13.70, 13.86, 14.15, 12.60]),
    ("Fischer 5", [13.05, 13.18, 13.50, 12.80, 13.05, 13.35, 14.42]),
    ("Fischer 6", [641.39, 643.09, 646.26, 1252.79, 995.90, 963.30, 1210.97]),
];

/// Table 9: megabytes of the same runs.
#[rustfmt::skip]
pub(super) const SIGNATURE_SPACE: [Row<7>; 11] = [
    ("Field Bus (Faulty 1)", [BOTTOM, BOTTOM, BOTTOM, BOTTOM, 40.41, 72.41, 77.92]),
    ("Field Bus (Faulty 2)", [BOTTOM, BOTTOM, BOTTOM, BOTTOM, 40.61, 72.62, 117.88]),
    ("Field Bus (Faulty 3)", [BOTTOM, BOTTOM, BOTTOM, BOTTOM, BOTTOM, BOTTOM, 489.87]),
    ("Field Bus (Fixed)", [BOTTOM, BOTTOM, BOTTOM, BOTTOM, BOTTOM, 75.82, 212.21]),
    ("Philips (correct)", [17.91, 33.91, 65.91, 17.89, 33.89, 65.89, 4.21]),
    ("Philips (faulty)", [BOTTOM, BOTTOM, BOTTOM, 18.35, 34.35, 66.35, 18.23]),
    ("B&O", [17.85, 33.85, 65.85, 17.85, 33.85, 65.85, 21.81]),
    ("DACAPO (big)", [24.93, 40.93, 72.93, BOTTOM, 40.01, 72.01, 92.77]),
    ("DACAPO (small)", [18.44, 34.44, 66.44, 18.40, 34.40, 66.40, 8.38]),
    ("Fischer 5", [18.91, 34.91, 66.91, 18.88, 34.88, 66.88, 9.28]),
    ("Fischer 6", [40.13, 56.13, 88.13, 38.38, 54.38, 86.38, 145.64]),
];

/// Paper 2, table 1: per cent of the inclusions found with waiting states: superset, subset.
pub(super) const ON_WAITING: [Row<2>; 3] =
    [("Cups", [97.0, 86.0]), ("Bus Coupler", [17.0, 60.0]), ("DACAPO (small)", [86.0, 81.0])];

/// Paper 2, table 2: unique location vectors, variable vectors and zones, per cent.
#[rustfmt::skip]
pub(super) const UNIQUE: [Row<3>; 4] = [
    ("Philips (correct)", [52.7, 25.2, 17.2]), ("DACAPO (small)", [4.3, 26.4, 12.7]),
    ("Fischer 4", [9.9, 0.6, 64.4]), ("Bus Coupler", [7.2, 8.7, 1.3]),
];

/// Paper 2, table 3: seconds and megabytes: without the unified list, with it and copies, with it and
/// sharing.
#[rustfmt::skip]
pub(super) const UNIFIED: [Row<6>; 7] = [
    ("Philips (correct)", [0.5, 2.0, 0.5, 2.0, 0.5, 2.0]), ("engine", [0.5, 3.0, 0.5, 4.0, 0.5, 5.0]),
    ("DACAPO (small)", [3.0, 7.0, 3.0, 5.0, 3.0, 5.0]), ("Cups", [43.0, 116.0, 37.0, 107.0, 36.0, 26.0]),
    ("BC", [428.0, 681.0, 359.0, 641.0, 345.0, 165.0]),
    ("master", [306.0, 616.0, 277.0, 558.0, 267.0, 153.0]),
    ("plant", [19688.0, BOTTOM, 9207.0, 2771.0, 8513.0, 1084.0]),
];

/// The row of an example that goes by one of these names.
pub(super) fn of<const N: usize>(table: &[Row<N>], names: &[&str]) -> Option<Row<N>> {
    table.iter().find(|row| names.contains(&row.0)).copied()
}
