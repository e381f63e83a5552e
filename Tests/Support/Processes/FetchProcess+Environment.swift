import Foundation

extension FetchProcess {
    /// The path of the built `fetch`.
    ///
    /// The variable `FETCH_EXECUTABLE` names another executable, such as a release build under test.
    ///
    /// - Returns: An absolute path.
    /// - Throws: `TestSupportError.missingProgram` when it has not been built.
    public static func executable() throws -> String {
        if let chosen = ProcessInfo.processInfo.environment["FETCH_EXECUTABLE"] {
            return chosen
        }
        return try built("fetch")
    }

    /// The path of a built program of this package.
    ///
    /// It is beside the test bundle. The running executable depends on the runner: the bundle itself, or
    /// a helper that gets the bundle's path with `--test-bundle-path`.
    ///
    /// - Parameter name: Its target's name.
    /// - Returns: An absolute path.
    /// - Throws: `TestSupportError.missingProgram` when it has not been built.
    public static func built(_ name: String) throws -> String {
        var bundles: [String] = []
        let arguments = CommandLine.arguments
        if let option = arguments.firstIndex(of: "--test-bundle-path") {
            bundles += arguments[(option + 1)...].prefix(1)
        }
        if let running = try? FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/self/exe"
        ) {
            bundles.append(running)
        }
        bundles += arguments.prefix(1)
        for bundle in bundles {
            let folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
            let candidate = folder.appendingPathComponent(name).path
            if access(candidate, X_OK) == 0 { return candidate }
        }
        throw TestSupportError.missingProgram("\(name) (looked beside \(bundles))")
    }

    /// Variables of the test process that a child needs to run, or for measurements.
    private static let inherited = [
        "PATH", "LD_LIBRARY_PATH", "LLVM_PROFILE_FILE", "ASAN_OPTIONS", "LSAN_OPTIONS",
        "TSAN_OPTIONS",
    ]

    /// The child's whole environment: a temporary home, a UTF-8 locale, no proxy.
    var completeEnvironment: [String: String] {
        var variables = ProcessInfo.processInfo.environment.filter {
            Self.inherited.contains($0.key)
        }
        variables["HOME"] = home.path
        variables["XDG_CONFIG_HOME"] = home.path(".config")
        variables["XDG_CACHE_HOME"] = home.path(".cache")
        variables["XDG_STATE_HOME"] = home.path(".local/state")
        variables["XDG_DATA_HOME"] = home.path(".local/share")
        variables["XDG_RUNTIME_DIR"] = home.path
        variables["LC_ALL"] = "C.UTF-8"
        if terminal != nil { variables["TERM"] = "xterm-256color" }
        return variables.merging(environment) { _, given in given }
    }
}
