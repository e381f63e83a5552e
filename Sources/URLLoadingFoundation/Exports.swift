// A program that uses all of Foundation needs only this import: both modules, and one `URLError`.

@_exported public import Foundation
@_exported public import URLLoading

/// URLLoading's error type; the other `URLError`, Foundation's, is never thrown by this module.
///
/// In a file that imports `Foundation` itself, both names are visible. Such a program declares
/// once, in any of its files, `typealias URLError = URLLoading.URLError`.
public typealias URLError = URLLoading.URLError
