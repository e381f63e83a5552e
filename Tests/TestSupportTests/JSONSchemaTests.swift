import TestSupport
import Testing

@Suite("JSON Schema")
struct JSONSchemaTests {
    private static let schema = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "type": "object",
          "properties": { "a": { "$ref": "#/$defs/number" } },
          "required": ["a"],
          "additionalProperties": false,
          "$defs": { "number": { "type": "integer", "minimum": 1 } }
        }
        """#

    private static func violations(_ lines: String) throws -> [String] {
        let folder = try TemporaryFolder("schema")
        return try JSONSchema(path: folder.write(schema, to: "schema"))
            .violations(in: Array(lines.utf8))
    }

    @Test func acceptsValidValues() throws {
        #expect(try Self.violations("{\"a\":1}\n{\"a\":2}\n") == [])
        #expect(try Self.violations("") == [])
    }

    @Test(arguments: [
        "{\"a\":0}\n", "{\"a\":\"1\"}\n", "{}\n", "{\"a\":1,\"b\":2}\n", "{\"a\":1}", "{\"a\":1\n",
        "{\"a\":1} {\"a\":1}\n", "{\"a\":1,\"a\":1}\n", "{\"a\":NaN}\n", "{\"a\":1}\n{\"a\":0}\n",
    ])
    func refusesInvalidValues(_ lines: String) throws {
        #expect(try Self.violations(lines).count == 1)
    }

    @Test func refusesAMalformedSchema() throws {
        let folder = try TemporaryFolder("schema")
        let schema = JSONSchema(path: try folder.write(#"{"type": 1}"#, to: "schema"))
        #expect(throws: TestSupportError.self) { try schema.violations(in: []) }
    }
}
