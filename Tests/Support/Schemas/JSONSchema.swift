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
        try folder.write(lines, to: "lines")
        let printed = try Tool.run(
            #"exec /usr/bin/python3 -c "$1" "$2" lines"#,
            arguments: [Self.program, path],
            in: folder
        )
        let said = printed.split(separator: "\n").map(String.init)
        let count = lines.split(separator: UInt8(ascii: "\n")).count
        guard said.last == "\(count) lines" else {
            throw TestSupportError.programFailed("python3", output: printed)
        }
        return said.dropLast()
    }

    private static let program = #"""
        from json import load, loads
        from sys import argv
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import best_match

        def once(pairs):
            names = [name for name, _ in pairs]
            if len(names) != len(set(names)): raise ValueError("a name occurs twice")
            return dict(pairs)

        def refuse(constant): raise ValueError(constant)

        with open(argv[1], encoding="utf-8") as file: schema = load(file)
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        count = 0
        with open(argv[2], "rb") as file:
            for line in file:
                count += 1
                try:
                    text = line.decode("utf-8")
                    if not text.endswith("\n"): raise ValueError("no line feed")
                    record = loads(text, object_pairs_hook=once, parse_constant=refuse)
                    error = best_match(validator.iter_errors(record))
                    if error: print(f"{count}: {error.json_path}: {error.message}"[:600].replace("\n", " "))
                except ValueError as error:
                    print(f"{count}: {error}")
        print(f"{count} lines")
        """#
}
