import Foundation

/// The sanitizer that the tests and `fetch` are built with.
///
/// `Scripts/test --sanitize=…` sets `FETCH_TEST_SANITIZER` to its name. A test that cannot hold
/// under one has a row in `Tests/Sanitizers/README.md`.
public enum Sanitizer {
    /// Its name, `thread` or `address`; `nil` for an ordinary build.
    public static let name = ProcessInfo.processInfo.environment["FETCH_TEST_SANITIZER"]

    /// Whether a process takes the memory and the processor time that the code asks for, and not the
    /// sanitizer's shadow and checks.
    public static var isOff: Bool { name == nil }
}
