import FoundationEssentials

@testable import FetchCommand
@testable import URLLoading

// File names that a server chooses.
extension FuzzTarget {
    static let names = [
        FuzzTarget("content-disposition") { input in
            let url = URL(string: "https://h.example/a/b")
            guard let url else { return }
            var fields = HTTPHeaderFields()
            fields.add(input.text, to: "Content-Disposition")
            let response = HTTPURLResponse(
                url: url,
                statusCode: 200,
                httpVersion: nil,
                headerFields: fields
            )
            if let suggested = response.suggestedFilename {
                check(!suggested.utf8.contains(UInt8(ascii: "/")), "suggestedFilename is no path")
                check(suggested != "." && suggested != "..", "suggestedFilename is no folder")
            }
            guard let disposition = ContentDisposition(input.text) else { return }
            check(disposition.fileName?.isEmpty != true, "fileName is never empty")
            guard let name = FileName.from(disposition) else { return }
            checkSafe(name)
            for suffix in [".part", ".part.resume", ".part.resume~"] {
                let isPart = name.utf8.reversed().starts(with: suffix.utf8.reversed())
                check(!isPart, "a server's name is never that of a part: \(name)")
            }
        },
        FuzzTarget("file-name") { input in
            let name = FileName.safe(input.text)
            checkSafe(name)
            check(FileName.safe(name).isSame(as: name), "a safe name stays as it is: \(name)")
        },
        FuzzTarget("printable") { input in
            let text = Printable.text(input.text)
            for scalar in text.unicodeScalars {
                check(!Printable.isHarmful(scalar), "no control character is printed")
            }
            check(DisplayWidth.of(text) >= 0, "a width is never negative")
            let json = JSONText(.plain(input.text))
            let read = try? JSONDecoder().decode(String.self, from: Data(json.bytes))
            check(read?.isSame(as: input.text) == true, "JSON text reads as it was written")
            check(!json.bytes.contains { $0 < 0x20 || $0 == 0x7F }, "JSON text is one line")
            _ = UserInfo.redacted(in: input.text)
            _ = UserInfo.redacted(inPaths: input.text)
            _ = Redaction.url(input.text)
        },
    ]

    private static func checkSafe(_ name: String) {
        check(!name.isEmpty && name != "." && name != "..", "a name names a file")
        check(name.utf8.count <= FileName.longest, "a name fits: \(name.utf8.count) bytes")
        let first = name.utf8.first
        check(first != UInt8(ascii: ".") && first != UInt8(ascii: "-"), "a name hides nothing")
        for scalar in name.unicodeScalars {
            check(scalar != "/" && !Printable.isHarmful(scalar), "a name is harmless: \(name)")
        }
    }
}
