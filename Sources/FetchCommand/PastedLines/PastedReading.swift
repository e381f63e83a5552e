/// What a flag of another program means here, for the tables of those flags.
package struct PastedReading: Sendable {
    package enum Verdict: Equatable, Sendable {
        /// The flags that it turns on, each by its first name, sorted.
        case means([String])
        /// Its meaning in the other program, and what to write here.
        case refused(String, hint: String?)
        /// The flag is supported, but not this value.
        case refusedValue(String, hint: String?)
        case unknown
    }

    package let verdict: Verdict
    /// The flags, each followed by its value, that replace one that is none of fetch's own.
    package let words: [String]?

    /// Reads a flag as the parser of the command line does, beside a URL.
    ///
    /// - Parameters:
    ///   - name: the flag with its dashes.
    ///   - value: its value, if it takes one.
    ///   - neighbours: flags that are before it, and count for nothing themselves.
    package init(_ name: String, _ value: String?, behind neighbours: [String] = []) {
        words = Self.words(name, value)
        let arguments = neighbours + [name] + [value].compactMap(\.self)
        do throws(UsageError) {
            let given = try FlagParser.parse(arguments + ["https://example.org/x"]).given
            let others = try FlagParser.parse(neighbours).given
            verdict = .means(given.subtracting(others).sorted())
        } catch .foreignFlag(_, let reason, let hint) {
            verdict = .refused(reason, hint: hint)
        } catch .unknownFlag {
            verdict = .unknown
        } catch {
            verdict = .refusedValue(error.message, hint: error.hint)
        }
    }

    private static func words(_ name: String, _ value: String?) -> [String]? {
        guard Flags.named(name) == nil else { return nil }
        switch PastedSpelling.named(name)?.meaning {
        case .flags(let words): return words
        case .made(_, let make):
            return try? make(FlagValue(flag: name, text: value ?? ""), Options())
        case .refused, nil: return nil
        }
    }
}
