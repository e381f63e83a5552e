import HTTPSemantics
import Testing

@testable import CurlMulti

@Suite("Reader of a response")
struct ResponseReaderTests {
    private func take(_ lines: String..., by reader: inout ResponseReader) {
        for line in lines {
            Array("\(line)\r\n".utf8).withUnsafeBytes { _ = reader.take($0) }
        }
    }

    private func reader(
        usesConnectionAuthentication: Bool = false,
        body: TransferRequest.Body = .none
    ) -> ResponseReader {
        var request = TransferRequest(url: "http://127.0.0.1/", body: body)
        if usesConnectionAuthentication {
            request.authentication = .init(
                method: .ntlm,
                user: "user",
                password: Secret("password")
            )
        }
        return ResponseReader(request)
    }

    @Test("the reader delivers a head once")
    func once() {
        var reader = reader()
        #expect(!reader.hasDeferredHead && reader.knownStatus == nil)
        take("HTTP/1.1 401 No", "", by: &reader)
        #expect(reader.hasDeferredHead && reader.knownStatus == 401)
        #expect(!reader.mayBeHandshakeStep(hasSupplied: false))
        let head = reader.takeHead()
        #expect(head?.status == 401)
        #expect(reader.endsWithConnection && !reader.isMultiplexed)
        let second = reader.takeHead()
        #expect(second == nil && !reader.hasDeferredHead && reader.knownStatus == 401)
    }

    @Test(
        "a refusal or an early success within a handshake may precede another response",
        arguments: [
            (401, TransferRequest.Body.none, false, true), (407, .none, false, true),
            (200, .none, false, false), (200, .length(4), false, true),
            (200, .length(4), true, false), (404, .length(4), false, false),
        ]
    )
    func handshake(
        _ status: Int,
        _ body: TransferRequest.Body,
        _ hasSupplied: Bool,
        _ mayBe: Bool
    ) {
        var reader = reader(usesConnectionAuthentication: true, body: body)
        take("HTTP/1.1 \(status) Words", "", by: &reader)
        #expect(reader.mayBeHandshakeStep(hasSupplied: hasSupplied) == mayBe)
    }

    @Test("the last response of a handshake counts")
    func last() {
        var reader = reader(usesConnectionAuthentication: true)
        take("HTTP/1.1 401 No", "", "HTTP/1.1 200 OK", "Content-Length: 0", "", by: &reader)
        let head = reader.takeHead()
        #expect(head?.status == 200)
        #expect(!reader.endsWithConnection)
    }

    @Test("the reader reports once per response that the server refused the body")
    func refusedBody() {
        var reader = reader(body: .unknownLength)
        #expect(reader.takeRefusalOfBody() == false)
        take("HTTP/1.1 413 Too much", "", by: &reader)
        #expect(reader.takeRefusalOfBody() == true)
        #expect(reader.takeRefusalOfBody() == false)
        reader.noteBody()
        #expect(reader.takeRefusalOfBody() == true)
        var accepted = self.reader(body: .unknownLength)
        take("HTTP/1.1 200 OK", "", by: &accepted)
        #expect(accepted.takeRefusalOfBody() == false)
    }
}
