import FoundationEssentials

@testable import FetchCommand
@testable import URLLoading

// Files and texts that the command parses.
extension FuzzTarget {
    static let command = [
        FuzzTarget("configuration") { input in
            for line in input.lines { _ = try? ConfigurationLine(line[...]) }
            let path = ScratchFolder.file("config", input.bytes)
            guard let file = try? ConfigurationFile(path, isNamed: true),
                var configuration = try? Configuration(file)
            else { return }
            _ = (configuration.exposedFlags, configuration.summary)
            try? configuration.drop("--quiet")
        },
        FuzzTarget("write-out") { input in
            let value = FlagValue(flag: "--write-out", text: input.text)
            guard let format = try? WriteOutFormat(value) else { return }
            _ = (format.files, format.usesStandardOutput)
            check(
                format.files.allSatisfy { !$0.isEmpty && !$0.utf8.contains(0) },
                "files have names"
            )
        },
        FuzzTarget("quantity") { input in
            let value = FlagValue(flag: "--limit", text: input.text)
            if let length = try? value.duration() {
                check(length > .zero, "what is not 0 is not rounded to it")
            }
            if let size = try? value.byteSize() { check(size > 0, "a size is positive") }
            _ = try? value.integer(in: 1...100)
        },
        // The partial line of an events file that a killed command may leave.
        FuzzTarget("events-file") { input in
            let path = ScratchFolder.file("config", input.bytes)
            _ = EventCursor.take(from: path)
        },
    ]
}
