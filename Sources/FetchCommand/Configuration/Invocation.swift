/// The options from the arguments and the configuration file together.
///
/// The file's flags are applied first: the command line replaces single values, and adds to flags
/// that repeat. If a flag of the command line excludes one of the file, the file's flag is dropped.
struct Invocation {
    let options: Options
    /// Secrets in the arguments; those in the file are not included.
    let secrets: [ArgumentSecret]
    /// The configuration file that was read; `nil`: none.
    private(set) var configuration: Configuration?

    /// Parses the arguments, without the program's name, and the file that they or the environment
    /// name.
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

    /// The file's flag that conflicts with one on the command line; `nil`: none.
    private static func conflictingFlag(
        in both: FlagParser,
        _ configuration: Configuration
    ) -> String? {
        guard case .conflict(let one, let other, _) = Plan.conflict(both.options),
            let one = Flags.first(in: one), let other = Flags.first(in: other), one != other
        else { return nil }
        func isOnlyInFile(_ flag: String) -> Bool {
            configuration.holds(flag) && !both.flags.contains(flag)
        }
        switch (isOnlyInFile(one), isOnlyInFile(other)) {
        case (true, false): return one
        case (false, true): return other
        default: return nil
        }
    }
}

extension Plan {
    /// The first conflict that a plan would throw, found without reading any input that can be read
    /// only once.
    fileprivate static func conflict(_ options: Options) -> UsageError? {
        do throws(PlanError) {
            do throws(UsageError) {
                try Conflicts.check(options)
                for url in options.urls {
                    let address = try WebAddress(url)
                    if address.isLocal { try Conflicts.checkLocal(address, options) }
                }
            } catch {
                throw .usage(error)
            }
            _ = try Plan.outputs(options)
            return nil
        } catch {
            if case .usage(let error) = error { return error }
            return nil
        }
    }
}
