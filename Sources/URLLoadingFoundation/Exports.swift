// One import for a program that uses all of Foundation: both modules, and one `URLError`.

@_exported public import Foundation
@_exported public import URLLoading

/// URLLoading's; Foundation has another of the same name, which nothing here throws.
///
/// In a file that imports `Foundation` itself both names are there: such a program says once, in any of its
/// files, `typealias URLError = URLLoading.URLError`.
public typealias URLError = URLLoading.URLError
