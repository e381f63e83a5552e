import Foundation
import TestSupport
import Testing

@testable import FetchCommand

@Suite struct EventSchemaTests {
    private static let file = "docs/events.schema.json"

    private static func schema() throws -> [String: Any] {
        let text = try Repository.text(of: file)
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(value as? [String: Any])
    }

    /// The line of a real delegate call.
    static var sampleLine: String {
        let event = SessionEvent(
            name: .didCompleteWithError,
            method: "urlSession(_:task:didCompleteWithError:)",
            task: 1,
            url: "http://h/",
            arguments: [EventMember("error", .none)]
        )
        return String(decoding: EventForm.json.line(.call(event)), as: UTF8.self)
    }

    /// The schema's violations by a real call's line, in which `text` is replaced by `other`.
    private static func violations(_ text: String = "", with other: String = "") throws -> [String]
    {
        let line = sampleLine
        try #require(line.contains(text) || text.isEmpty)
        return try JSONSchema(path: Repository.path(file))
            .violations(in: Array(line.replacing(text, with: other).utf8))
    }

    @Test func listsExactlyTheEventsOfTheCode() throws {
        let schema = try Self.schema()
        let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
        let choices = try #require(schema["oneOf"] as? [[String: String]])
        let listed = choices.compactMap { $0["$ref"]?.split(separator: "/").last.map(String.init) }
        #expect(listed == EventRecord.names)
        for name in EventRecord.names {
            let properties = definitions[name]?["properties"] as? [String: [String: Any]]
            #expect(properties?["event"]?["const"] as? String == name)
            #expect(definitions[name]?["additionalProperties"] as? Bool == false, "\(name)")
        }
        let levels = (definitions["message"]?["properties"] as? [String: [String: Any]])?["level"]
        #expect(levels?["enum"] as? [String] == MessageLevel.allCases.map(\.rawValue))
    }

    @Test func thePageDescribesEachEvent() throws {
        let page = try Page("docs/events.md")
        for name in EventRecord.names { #expect(page.spans.contains(name), "\(name)") }
    }

    @Test func acceptsACallAndRefusesChangedForms() throws {
        #expect(try Self.violations() == [])
        #expect(try Self.violations(#""schema":1"#, with: #""schema":2"#).count == 1)
        #expect(try Self.violations(#""error":null"#, with: #""error":null,"new":1"#).count == 1)
        #expect(try Self.violations(#","error":null"#).count == 1)
        #expect(try Self.violations("didCompleteWithError", with: "didEnd").count == 1)
        #expect(try Self.violations(#""task":1"#, with: #""task":"1""#).count == 1)
    }

    @Test func everyOtherRecordHasAForm() throws {
        let lines =
            EventForm.json.line(.dropped(3, .now))
            + MessageLevel.allCases.flatMap { EventForm.json.line(.message("a\nb", $0, .now)) }
        #expect(try JSONSchema(path: Repository.path(Self.file)).violations(in: lines) == [])
    }
}
