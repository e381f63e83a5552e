import Testing
import URLLoading

@testable import FetchCommand

@Suite struct MultipartFormTests {
    private func body(_ form: MultipartForm) -> String {
        var bytes: [UInt8] = []
        for segment in form.segments {
            switch segment {
            case .data(let some): bytes += some
            case .file(let path, _): bytes += Array("[\(path)]".utf8)
            case .standardInput: bytes += Array("[-]".utf8)
            case .none, .rest, .form: Issue.record("no segment")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func bytesAreThoseOfRFC7578() throws {
        let folder = try ScratchFolder()
        let file = try folder.file("note.txt", "12345")
        guard
            case .form(let form) = try plan("-F", "a=b", "-F", "f=@\(file)", "h/").tasks[0].body
        else {
            Issue.record("no form")
            return
        }
        let expected =
            "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n"
            + "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"note.txt\"\r\n"
            + "Content-Type: text/plain\r\n\r\n[\(file)]\r\n--XX--\r\n"
        #expect(body(form) == expected)
        let placeholder = Int64(file.utf8.count + 2)
        #expect(form.length == Int64(expected.utf8.count) - placeholder + 5)
    }

    @Test(arguments: [
        ("a\"b", "a%22b"), ("a\r\nb", "a%0D%0Ab"), ("a\\b", "a\\b"), ("ü", "ü"), ("a\0b", "a%00b"),
    ])
    func namesAreEscaped(_ name: String, _ escaped: String) {
        let part = FormPart(name: name, filename: name, contentType: nil, content: .data([]))
        let form = MultipartForm(boundary: "XX", parts: [part])
        #expect(
            body(form)
                == "--XX\r\nContent-Disposition: form-data; name=\"\(escaped)\"; "
                + "filename=\"\(escaped)\"\r\n\r\n\r\n--XX--\r\n"
        )
    }

    @Test func aPartOfUnknownLengthMakesTheLengthUnknown() throws {
        let content = BodyPlan.standardInput(stripsLineEnds: false)
        let form = MultipartForm(
            boundary: "XX",
            parts: [FormPart(name: "a", filename: nil, contentType: nil, content: content)]
        )
        #expect(form.length == nil)
        #expect(try plan("-F", "a=@-", "h/").tasks[0].body.readsStandardInput)
    }

    @Test func aBoundaryOfTheUsersOwnIsUsed() throws {
        let type = "Content-Type: multipart/mixed; boundary=own"
        guard case .form(let form) = try plan("-F", "a=b", "-H", type, "h/").tasks[0].body else {
            Issue.record("no form")
            return
        }
        #expect(form.boundary == "own")
    }

    @Test func boundariesAreRandomAndPlain() {
        let one = MultipartForm.randomBoundary()
        #expect(one != MultipartForm.randomBoundary())
        #expect(one.utf8.count == 38)
        #expect(HTTPSyntax.isToken(one))
    }

    @Test(
        arguments: [
            ("a.JPG", "image/jpeg"), ("a.html", "text/html"), ("a.svg", "image/svg+xml"),
            ("a", nil), ("a.bin", nil),
            ("a.gif", "image/gif"), ("a.png", "image/png"), ("a.pdf", "application/pdf"),
            ("a.xml", "application/xml"),
        ] as [(String, String?)]
    )
    func mediaTypes(_ name: String, _ type: String?) {
        #expect(MediaType.ofFile(named: name) == type)
    }
}
