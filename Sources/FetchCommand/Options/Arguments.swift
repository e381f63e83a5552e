import Glibc

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

    /// Writes over the secrets in this process's own list of arguments, which everybody can read in
    /// `/proc/PID/cmdline`, and says which flags brought them.
    ///
    /// Before that they could be read for a moment: whoever gives them is warned.
    static func hide(_ secrets: [ArgumentSecret]) -> [String] {
        var flags: [String] = []
        for secret in secrets {
            guard let range = secret.range, secret.argument + 1 < Int(CommandLine.argc),
                let bytes = CommandLine.unsafeArgv[secret.argument + 1],
                range.upperBound <= strlen(bytes)
            else { continue }
            memset(bytes + range.lowerBound, CInt(UInt8(ascii: "*")), range.count)
            if secret.isPlain, !flags.contains(secret.flag) { flags.append(secret.flag) }
        }
        return flags
    }
}
