/// What the arguments and the configuration file ask for, together.
///
/// The file's flags come first: of a flag that holds one value the command line's counts, and
/// those that repeat add up. Where two flags exclude each other and the command line has the one,
/// the file's is left out.
struct Invocation {
    let options: Options
    /// Of the arguments; the file's secrets are left out.
    let secrets: [ArgumentSecret]
    /// The file that was read.
    private(set) var configuration: Configuration?

    /// Reads the arguments, without the program's name, and the file that they or the environment
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
        while let flag = Self.loser(of: both, configuration) {
            try configuration.drop(flag)
            both = try FlagParser.read(arguments, onto: configuration.options)
        }
        options = both.options
        self.configuration = configuration
    }

    /// The file's flag that cannot be obeyed beside one of the command line's.
    private static func loser(of both: FlagParser, _ configuration: Configuration) -> String? {
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
    /// The first conflict that a plan would meet, found without reading anything that can be read
    /// once.
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
