/// The options from the arguments and the configuration file together.
///
/// The file's flags are applied first: the command line replaces single values, and adds to flags
/// that repeat. A flag of the file is dropped if one of the command line excludes it, or if the flag
/// that it applies beside is missing.
struct Invocation {
    let options: Options
    /// Secrets in the arguments; those in the file are not included.
    let secrets: [ArgumentSecret]
    /// The configuration file that was read; `nil`: none.
    private(set) var configuration: Configuration?

    /// Parses the arguments, without the program's name, and the configuration file.
    init(_ arguments: [String]) throws(UsageError) {
        let commandLine = try FlagParser.read(arguments)
        secrets = commandLine.secrets
        guard commandLine.options.information == nil,
            let place = commandLine.options.configuration.path(), place.path != "/dev/null",
            let file = try ConfigurationFile(place.path, isNamed: place.isNamed)
        else {
            options = commandLine.options
            return
        }
        var configuration = try Configuration(file)
        var both = try FlagParser.read(arguments, onto: configuration.options)
        while let flag = Self.conflictingFlag(in: both, configuration) {
            try configuration.drop(flag)
            both = try FlagParser.read(arguments, onto: configuration.options)
        }
        options = both.options
        self.configuration = configuration
    }

    /// The file's flag that conflicts with one on the command line, or has no use beside it; `nil`: none.
    private static func conflictingFlag(
        in both: FlagParser,
        _ configuration: Configuration
    ) -> String? {
        func isOnlyInFile(_ flag: String) -> Bool {
            configuration.holds(flag) && !both.flags.contains(flag)
        }
        let conflict = Plan.conflict(both.options)
        if case .unusable(let flag, _, _) = conflict { return isOnlyInFile(flag) ? flag : nil }
        guard case .conflict(let one, let other, _) = conflict,
            let one = Flags.first(in: one), let other = Flags.first(in: other), one != other
        else { return nil }
        switch (isOnlyInFile(one), isOnlyInFile(other)) {
        case (true, false): return one
        case (false, true): return other
        default: return nil
        }
    }
}

extension Plan {
    /// The first conflict that a plan would throw, found without reading any input.
    fileprivate static func conflict(_ options: Options) -> UsageError? {
        do throws(UsageError) {
            try Conflicts.check(options)
            for url in options.urls {
                let address = try WebAddress(url)
                if address.isLocal { try Conflicts.checkLocal(address, options) }
            }
            _ = try Plan.outputs(options)
            return nil
        } catch {
            return error
        }
    }
}
