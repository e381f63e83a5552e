import URLLoading

// Single letters, which have different meanings in curl and wget.
extension FlagParser {
    /// Parses an argument with one dash: a word of wget's, such as `-nv`, or combined letters.
    mutating func takeShort(_ argument: String) throws(UsageError) {
        let isWord = argument.utf8.count > 2
        if isWord {
            // All of wget's single-dash words begin with `-n`.
            let isWgets = argument.utf8.starts(with: "-n".utf8)
            let isKnown =
                Flags.named(argument).map { $0.placeholder == nil }
                ?? (isWgets && PastedSpelling.named(argument) != nil)
            if isKnown { return try apply(argument) }
        }
        // `-output FILE` would save as `utput` and fetch FILE, which no user intends.
        guard !isWord || Flags.named("-" + argument) == nil else {
            throw .unknownFlag(argument, near: ["-" + argument])
        }
        var letters = argument[...].withoutFirstByte
        let switches = letters.prefix { Flags.named("-\($0)")?.placeholder == nil }
        let isCurlSilence = switches.contains("s")
        while let letter = letters.popFirst() {
            // wget's words may also be part of a cluster, as in -qnc.
            if letter == "n", let next = letters.utf8.first, "cdvHp".utf8.contains(next) {
                let word = "-n\(letters.removeFirst())"
                try apply(word, within: argument)
                continue
            }
            let name = "-\(letter)"
            if name == "-i", line != nil, isInclude(before: letters) {
                if letters.isEmpty, let next = rest.first,
                    URLScanner.schemeEnd(of: next[...]) != nil
                {
                    spelled.namesList = true
                }
                try apply("--include")
                continue
            }
            if line != nil {
                let ambiguity =
                    letters.isEmpty
                    ? line.flatMap { AmbiguousLetter(name, before: rest.first, in: $0) }
                    : AmbiguousLetter(name, cluster: letters, of: argument)
                if let ambiguity { throw ambiguity.error(name) }
            }
            // In a cluster with wget's letters, `-O` is wget's, and takes a file name.
            let isWgets = argument.utf8.prefix { $0 != UInt8(ascii: "O") }.contains {
                "qncN".utf8.contains($0)
            }
            if name == "-O", line != nil, letters.isEmpty || !isWgets,
                isRemoteName(before: letters)
            {
                try apply("--remote-name")
                continue
            }
            if takesValue(name) {
                let value = letters.isEmpty ? nil : String(letters)
                return try apply(
                    name,
                    within: argument,
                    value: value,
                    at: argument.utf8.count - letters.utf8.count
                )
            }
            // In -sS and -fsSL, `S` is curl's --show-error.
            guard letter != "S" || !isCurlSilence else { continue }
            try apply(name, within: argument)
        }
    }

    private func takesValue(_ name: String) -> Bool {
        if let flag = Flags.named(name) { return flag.placeholder != nil }
        if case .made? = PastedSpelling.named(name)?.meaning { return true }
        return false
    }

    /// Whether `-O` is curl's, without a value: a flag, a URL or nothing follows.
    ///
    /// In the same cluster, letters of curl's switches may follow, and a last letter with a value.
    private func isRemoteName(before letters: Substring) -> Bool {
        guard letters.isEmpty else {
            // These letters are as probably part of a file's name: `-Oindex`, `-Okind`.
            guard !letters.contains("in"), letters.first != "i", letters.first != "n" else {
                return false
            }
            let rest = letters.utf8.drop { "LJsSfkRvgI#46GZN0in".utf8.contains($0) }
            guard let last = rest.first else { return true }
            let value = Substring(rest.dropFirst())
            if last == UInt8(ascii: "C") { return value.isEmpty || value.hasBytes(of: "-") }
            guard rest.count < letters.utf8.count else { return false }
            return value.isEmpty && "HowKdXAumDF".utf8.contains(last)
                || last == UInt8(ascii: "m") && value.isDigits
        }
        guard let next = rest.first else { return !options.urls.isEmpty }
        return next.utf8.first == Self.dash && next != "-" || next.contains("://")
    }

    /// Whether `-i` is curl's, without a value: a flag or a URL follows that is no existing file,
    /// or in the same cluster only letters of curl's switches.
    ///
    /// Beside wget's words, such as `-nv`, a URL is that of a list.
    private func isInclude(before letters: Substring) -> Bool {
        guard letters.isEmpty else {
            if letters.utf8.allSatisfy({ "LsSfkvgGnNIO0#46".utf8.contains($0) }) { return true }
            // A letter with a value may follow, as in -iX POST; a list of that name comes first.
            let isList = FileFacts.exists(String(letters)) || line?.hasURL != true
            return !isList && letters.first.map { "XHudFmAeox".contains($0) } ?? false
        }
        guard let next = rest.first else { return !options.urls.isEmpty }
        if next.utf8.first == Self.dash { return next != "-" }
        guard !FileFacts.exists(next) else { return false }
        let host = String(next.prefix { !"/:?#".contains($0) })
        if options.usesCurlFlags, HostName.isDomain(host), !next.endsWithBytes(of: ".txt") {
            return true
        }
        if spelled.wgets.contains(where: { $0.utf8.starts(with: "-n".utf8) }) { return false }
        return next.contains("://") || HostName.isLoopback(host)
    }
}

extension AmbiguousLetter {
    func error(_ name: String) -> UsageError {
        .foreignFlag(flag: name, reason: reason, hint: hint)
    }
}
