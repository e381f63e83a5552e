/// The command line's arguments.
enum Arguments {
    /// Those of this process, without its name.
    ///
    /// Swift's own list mends what is not UTF-8, which would send other bytes than were given, and
    /// write another file. Throws `UsageError.notUTF8`.
    static func ofProcess() throws(UsageError) -> [String] {
        var arguments: [String] = []
        for number in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = CommandLine.unsafeArgv[number] else { break }
            guard let argument = String(validatingCString: bytes) else {
                throw .notUTF8(position: number)
            }
            arguments.append(argument)
        }
        return arguments
    }
}
