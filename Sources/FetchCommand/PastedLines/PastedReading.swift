/// The meaning here of another program's flag, for the tables in the manual.
package struct PastedReading: Sendable {
    package enum Verdict: Equatable, Sendable {
        /// The flags that it sets, each by its first name, sorted.
        case means([String])
        /// Its meaning in the other program, and what to use here.
        case refused(String, hint: String?)
        /// The flag is supported, but not this value.
        case refusedValue(String, hint: String?)
        case unknown
    }

    package let verdict: Verdict
    /// The arguments that replace a flag which is not fetch's own; `nil`: it is fetch's own.
    package let words: [String]?

    /// Parses a flag together with a URL, as the command line's parser does.
    ///
    /// The neighbours are flags before it, which are not part of the result.
    package init(_ name: String, _ value: String?, after neighbours: [String] = []) {
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
