import Glibc
import Testing
import URLLoading

@testable import FetchCommand

@Suite("Variables in header lines")
struct HeaderVariablesTests {
    private func value(_ line: String) throws -> String? {
        let edit = try options("-H", line, "http://h/").headers.first
        guard case .set(let field)? = edit else { return nil }
        return field.value
    }

    @Test("a variable in a header line is replaced by its value, anywhere in the line")
    func values() throws {
        setenv("HEADER_TEST_TOKEN", "t0ken", 1)
        #expect(try value("Authorization: Bearer env:HEADER_TEST_TOKEN") == "Bearer t0ken")
        #expect(try value("X-Key: env:HEADER_TEST_TOKEN") == "t0ken")
        #expect(try value("Cookie: a=env:HEADER_TEST_TOKEN; b=2") == "a=t0ken; b=2")
        let twice = "T: \"env:HEADER_TEST_TOKEN\",env:HEADER_TEST_TOKEN"
        #expect(try value(twice) == "\"t0ken\",t0ken")
    }

    @Test(
        "a text that is no variable's name stays unchanged",
        arguments: ["env:prod", "env:", "xenv:HOME", "env:1A", "env:Home", "environment: HOME"]
    )
    func others(_ text: String) throws {
        #expect(try value("Tags: \(text)") == text)
    }

    @Test("a variable that is not set, or would end the line, is a usage error")
    func errors() {
        setenv("HEADER_TEST_BAD", "a\nb", 1)
        let missing = usageError(["-H", "A: env:HEADER_TEST_MISSING", "http://h/"])
        #expect(
            missing?.message.contains("there is no environment variable HEADER_TEST_MISSING")
                == true
        )
        #expect(usageError(["-H", "A: env:HEADER_TEST_BAD", "http://h/"]) != nil)
    }

    @Test("a header with a variable counts as a credential")
    func secret() throws {
        setenv("HEADER_TEST_TOKEN", "t0ken", 1)
        let options = try options("-H", "X-Key: env:HEADER_TEST_TOKEN", "http://h/")
        #expect(options.transport.secretHeaders == ["X-Key"])
    }
}
