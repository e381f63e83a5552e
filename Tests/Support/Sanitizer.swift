import Foundation

/// The sanitizer with which the tests and `fetch` are built.
///
/// `Scripts/test --sanitize=…` sets `FETCH_TEST_SANITIZER` to its name. `Tests/Sanitizers/README.md`
/// lists the tests that do not hold under a sanitizer.
public enum Sanitizer {
    /// Its name, `thread` or `address`; `nil` for an ordinary build.
    public static let name = ProcessInfo.processInfo.environment["FETCH_TEST_SANITIZER"]

    /// Whether no sanitizer adds shadow memory and checks to a process's memory and processor time.
    public static var isOff: Bool { name == nil }
}
