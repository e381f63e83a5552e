import Foundation
public import Testing

/// The factor by which programs under test may exceed their usual time.
///
/// `Scripts/test` sets `FETCH_TEST_TIMEOUT_FACTOR` where a sanitizer slows all programs down.
private let timeFactor =
    ProcessInfo.processInfo.environment["FETCH_TEST_TIMEOUT_FACTOR"].flatMap { Int($0) } ?? 1

extension Duration {
    /// This limit of a wait, scaled for this machine.
    ///
    /// For limits that only a failing test reaches, and not for pauses that are part of a test.
    public var scaled: Duration { self * timeFactor }
}

extension TimeLimitTrait.Duration {
    /// The limit of a test, scaled for this machine.
    ///
    /// The `Int` parameter makes the compiler prefer it to Testing's own: `.timeLimit(.minutes(1))` means
    /// this one in every file that imports TestSupport.
    public static func minutes(_ minutes: Int) -> Self {
        .minutes(Int64(minutes * timeFactor))
    }
}
