import Foundation
import TestSupport
import Testing

/// The lines of `--events json`, each validated against the schema in `docs/`.
struct Events {
    /// A line, as its members.
    struct Record {
        let members: [String: Any]

        var name: String { self["event"] ?? "" }
        /// The number of the task, or 0.
        var task: Int { self["task"] ?? 0 }

        /// A member of the requested type, or `nil`.
        subscript<Value>(label: String) -> Value? { members[label] as? Value }

        /// The members of an argument that is an object.
        func object(_ label: String) -> [String: Any] { self[label] ?? [:] }

        /// The header of an argument, as `Name: value`.
        func header(_ label: String) -> [String] {
            let fields = object(label)["headerFields"] as? [[String: String]] ?? []
            return fields.map { "\($0["name"] ?? "?"): \($0["value"] ?? "?")" }
        }
    }

    let all: [Record]
    /// The schema's violations.
    let violations: [String]

    private static let schema: JSONSchema = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 1...4 { folder.deleteLastPathComponent() }
        return JSONSchema(path: folder.appendingPathComponent("docs/events.schema.json").path)
    }()

    /// Parses the lines; throws where a line is not JSON.
    init(_ bytes: [UInt8]?) throws {
        let bytes = bytes ?? []
        violations = try Self.schema.violations(in: bytes)
        all = try bytes.split(separator: UInt8(ascii: "\n")).map { line in
            let value = try JSONSerialization.jsonObject(with: Data(line))
            return Record(members: value as? [String: Any] ?? [:])
        }
    }

    /// Runs fetch with the events in a file, and validates them against the schema.
    static func run(
        _ arguments: [String],
        in folder: TemporaryFolder? = nil,
        input: ProcessInput = .null
    ) async throws -> (ProcessResult, Events) {
        let folder = try folder ?? TemporaryFolder("events")
        let result = try await FetchProcess(
            ["--events", "json", "--events-file", "events"] + arguments,
            in: folder,
            input: input
        ).run()
        let events = try Events(folder.read("events"))
        #expect(events.violations == [], "\(result)")
        #expect(events.timesRise)
        #expect(events.names.last == "didBecomeInvalidWithError")
        return (result, events)
    }

    /// The names in order.
    var names: [String] { all.map(\.name) }

    func named(_ name: String) -> [Record] { all.filter { $0.name == name } }

    /// The sum of a member over all lines.
    func sum(_ label: String) -> Int {
        all.reduce(0) { $0 + ($1[label] ?? 0) }
    }

    /// Whether the monotonic clock never goes back.
    var timesRise: Bool {
        let times: [Double] = all.compactMap { $0["monotonic"] }
        return times.count == all.count && times == times.sorted()
    }
}
