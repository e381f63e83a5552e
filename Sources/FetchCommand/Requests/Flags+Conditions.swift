import Glibc
import URLLoading

extension Flags {
    private static let tagOfFile = Flag.Exclusion(
        "--continue",
        "--timestamping",
        because: "that uses the tag stored with the file itself"
    )

    static let conditions: [Flag] = [
        Flag(
            ["--timestamping", "-N"],
            help: "fetch only if the server's file differs from the existing one, and replace that",
            details: """
                The server is asked with the tag and the date that it sent with the file. If its \
                file is the same, the existing file is left untouched, and the exit status is 0. \
                Tag and date are kept in the file's extended attribute user.fetch.validator. \
                They are valid while the file's size and time are unchanged. For other files, \
                the request uses the time alone, as in wget. A partial file is completed with \
                --continue. A name from the URL gets a number only if another, earlier URL has \
                the same name.
                """
        ) { $0.timestamping = true },
        Flag(
            ["--etag-compare"],
            value: "FILE",
            excludes: tagOfFile,
            background: .comparesNothing,
            reads: .init { [$0.entityTagInput] },
            help: "fetch only if the entity tag differs from the one in FILE",
            details: """
                If the server's tag is the same (304), nothing is written, and the exit status \
                is 0. With --etag-save FILE, FILE may be missing. A missing or empty FILE makes \
                the request unconditional. Content that is not an entity tag is an error.
                """
        ) { $0.entityTagInput = try $1.path() },
        Flag(
            ["--etag-save"],
            value: "FILE",
            excludes: tagOfFile,
            background: .comparesNothing,
            help: "save the response's entity tag in FILE, for --etag-compare",
            details: """
                FILE is replaced once the body is complete and in its place, and not if that \
                fails. It is empty if the server sends no tag.
                """
        ) { options, value in
            let output = try OutputName(value)
            guard case .path = output else {
                throw value.invalid(
                    "is not a file",
                    hint: "the tag needs a file; ./- is a file named -"
                )
            }
            options.entityTagOutput = output
        },
    ]
}

enum TimeCondition {
    /// Parses a date, or uses the time of a file; `-` before it requests an older resource.
    static func field(_ value: FlagValue) throws(UsageError) -> HeaderField {
        let isOlder = value.text.utf8.first == UInt8(ascii: "-")
        let text = isOlder ? String(value.text.dropFirst()) : value.text
        var status = stat()
        let seconds =
            stat(text, &status) == 0
            ? status.st_mtim.tv_sec : HTTPDate.seconds(text) ?? day(text)
        guard let seconds, let date = HTTPDate.text(seconds) else {
            throw value.invalid(
                "is neither a date nor an existing file",
                hint: "a date is 2026-01-31, 2026-01-31 12:00:00 or 'Sat, 31 Jan 2026 12:00:00 GMT'"
            )
        }
        return HeaderField(isOlder ? "If-Unmodified-Since" : "If-Modified-Since", date)
    }

    /// Parses `2026-01-31` or `20260131`, optionally followed by `12:00:00`; UTC.
    private static func day(_ text: String) -> Int? {
        let parts = text.split { $0 == " " || $0 == "T" }
        guard let date = parts.first, parts.count <= 2 else { return nil }
        let clock = parts.count == 2 ? numbers(parts[1], by: ":") : [0, 0, 0]
        var day = numbers(date, by: "-")
        if day?.count == 1, date.utf8.count == 8, let number = day?[0] {
            day = [number / 10_000, number / 100 % 100, number % 100]
        }
        guard let day, day.count == 3, let clock, clock.count == 3, (1970...9999).contains(day[0])
        else { return nil }
        return HTTPDate.seconds(
            year: day[0],
            month: day[1],
            day: day[2],
            hour: clock[0],
            minute: clock[1],
            second: clock[2]
        )
    }

    private static func numbers(_ text: Substring, by separator: Character) -> [Int]? {
        let words = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = words.compactMap { word in word.utf8.count <= 8 ? Int(digits: word) : nil }
        return numbers.count == words.count ? numbers : nil
    }
}
