import Foundation

extension Duration {
    /// How many times its usual time a program under test may take.
    ///
    /// `Scripts/test` sets `FETCH_TEST_PATIENCE` where a sanitizer slows all programs down.
    private static let patience =
        ProcessInfo.processInfo.environment["FETCH_TEST_PATIENCE"].flatMap { Int($0) } ?? 1

    /// This limit of a wait, as long as it is in these surroundings.
    ///
    /// For limits that only a failing test reaches, and for no pause that is part of a test.
    var patient: Duration { self * Self.patience }
}
