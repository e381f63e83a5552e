import Foundation
import Synchronization

/// A JSON Schema (draft 2020-12), with the system's validator.
public struct JSONSchema: Sendable {
    private let path: String

    /// The schema in a file.
    public init(path: String) {
        self.path = path
    }

    /// Validates lines of JSON.
    ///
    /// Each line must be UTF-8, be one whole JSON text, end in a line feed, and have unique member names.
    ///
    /// - Parameter lines: All lines.
    /// - Returns: The errors, line by line; empty where all lines are valid.
    /// - Throws: `TestSupportError.programFailed` where the schema is invalid, or `python3-jsonschema` is
    ///   missing.
    public func violations(in lines: [UInt8]) throws -> [String] {
        let folder = try TemporaryFolder("schema")
        let file = try folder.write(lines, to: "lines")
        let said = try Self.validator.withLock { validator in
            try validator.answer("\(path)\t\(file)")
        }
        let count = lines.split(separator: UInt8(ascii: "\n")).count
        guard said.last == "\(count) lines" else {
            throw TestSupportError.programFailed("python3", output: said.joined(separator: "\n"))
        }
        return said.dropLast()
    }

    /// One process for all tests: it takes 0.2 s to start.
    private static let validator = Mutex(Validator())

    /// A process that reads a schema's path and a file's path from each line, and prints the errors.
    private struct Validator {
        private var process: Process?
        private var input = Foundation.Pipe()
        private var output = Foundation.Pipe()

        /// The lines that the process prints for a request.
        mutating func answer(_ request: String) throws -> [String] {
            if process == nil {
                (input, output) = (Foundation.Pipe(), Foundation.Pipe())
                let started = Process()
                started.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
                started.arguments = ["-c", JSONSchema.program]
                started.standardInput = input
                started.standardOutput = output
                started.standardError = output
                try started.run()
                try output.fileHandleForWriting.close()
                process = started
            }
            try input.fileHandleForWriting.write(contentsOf: Data("\(request)\n".utf8))
            var printed = Data()
            let end = Data("<end>\n".utf8)
            while printed.suffix(end.count) != end {
                let piece = output.fileHandleForReading.availableData
                guard !piece.isEmpty else {
                    // The next request starts another one.
                    process = nil
                    throw TestSupportError.programFailed(
                        "python3",
                        output: String(decoding: printed, as: UTF8.self)
                    )
                }
                printed += piece
            }
            let text = String(decoding: printed.dropLast(end.count), as: UTF8.self)
            return text.split(separator: "\n").map(String.init)
        }
    }

    private static let program = #"""
        from json import load, loads
        from sys import stdin
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import best_match

        def once(pairs):
            names = [name for name, _ in pairs]
            if len(names) != len(set(names)): raise ValueError("a name occurs twice")
            return dict(pairs)

        def refuse(constant): raise ValueError(constant)

        validators = {}
        for request in stdin:
            schema_path, path = request.rstrip("\n").split("\t")
            if schema_path not in validators:
                with open(schema_path, encoding="utf-8") as file: schema = load(file)
                Draft202012Validator.check_schema(schema)
                validators[schema_path] = Draft202012Validator(schema)
            count = 0
            with open(path, "rb") as file:
                for line in file:
                    count += 1
                    try:
                        text = line.decode("utf-8")
                        if not text.endswith("\n"): raise ValueError("no line feed")
                        record = loads(text, object_pairs_hook=once, parse_constant=refuse)
                        error = best_match(validators[schema_path].iter_errors(record))
                        if error:
                            print(f"{count}: {error.json_path}: {error.message}"[:600].replace("\n", " "))
                    except ValueError as error:
                        print(f"{count}: {error}")
            print(f"{count} lines\n<end>", flush=True)
        """#
}
