import Glibc

/// The functions of a library that undoes codings, looked up when the first body needs them.
// Unchecked: addresses in a library that is never unloaded; nothing changes them.
struct CodingLibrary<Functions>: @unchecked Sendable {
    let functions: Functions
}

extension CodingLibrary {
    /// `nil` where the library is not there, or lacks one of them.
    static func symbols(
        _ name: String,
        _ make: ((String) -> UnsafeMutableRawPointer?) -> Functions
    ) -> CodingLibrary? {
        guard let library = dlopen(name, RTLD_NOW) else { return nil }
        var isComplete = true
        let functions = make { name in
            let address = dlsym(library, name)
            if address == nil { isComplete = false }
            return address
        }
        return isComplete ? CodingLibrary(functions: functions) : nil
    }
}
