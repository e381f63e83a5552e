public import HTTPSemantics

/// The status line and the fields of a final response.
public struct ResponseHead: Sendable, Hashable {
    /// The version as the status line has it: `1.1`, `2`.
    public var version: String
    /// The status code, 100 to 999.
    public var status: Int
    /// The reason phrase; empty over HTTP/2.
    public var reason: String
    /// The fields in their order, with the server's spelling of names.
    ///
    /// Folded lines are joined. Values have no white space around them, and are read as Latin-1 if they are
    /// not UTF-8.
    public var fields: [HTTPHeaderFields.Field]
    /// All that has come until its end, byte for byte, with interim responses and a proxy's before it;
    /// empty unless ``TransferRequest/recordsHeads`` says so.
    public var raw: [UInt8] = []
    /// The cookies that this response, and refusals that libcurl dealt with by itself, have set,
    /// each as a line of a Netscape cookie file, in their order.
    ///
    /// What is to be deleted is long expired.
    ///
    /// libcurl has checked each against the request's host and the public suffix list, and dropped
    /// what a server may not set. The path is what the server wrote; empty where it wrote none.
    public var cookies: [String] = []

    /// Makes a head.
    public init(version: String, status: Int, reason: String, fields: [HTTPHeaderFields.Field]) {
        self.version = version
        self.status = status
        self.reason = reason
        self.fields = fields
    }
}

extension ResponseHead {
    /// Whether the body ends with the connection ([RFC 9112
    /// §6.3](https://www.rfc-editor.org/rfc/rfc9112#section-6.3)).
    func endsWithConnection(_ method: String) -> Bool {
        guard version.utf8.first == UInt8(ascii: "1"), method != "HEAD", status != 204,
            status != 304
        else {
            return false
        }
        if let coding = fields.last(where: { $0.isNamed("transfer-encoding") }) {
            return !coding.value.utf8.suffix(7).elementsEqual("chunked".utf8) { $0 | 0x20 == $1 }
        }
        return !has("content-length")
    }

    /// Whether there is a field of a name, which is given in lower case.
    func has(_ name: StaticString) -> Bool {
        fields.contains { $0.isNamed(name) }
    }

    /// The values of a name, which is given in lower case.
    func values(_ name: StaticString) -> [String] {
        var values: [String] = []
        for field in fields where field.isNamed(name) { values.append(field.value) }
        return values
    }
}

extension HTTPHeaderFields.Field {
    /// Whether it has a name, which is given in lower case.
    func isNamed(_ name: StaticString) -> Bool {
        self.name.utf8.count == name.utf8CodeUnitCount && self.name.utf8.begins(with: name)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a line begins the head of a response.
    var beginsHead: Bool {
        count >= 5 && self[0] == UInt8(ascii: "H") && self[1] == UInt8(ascii: "T")
            && self[2] == UInt8(ascii: "T") && self[3] == UInt8(ascii: "P")
            && self[4] == UInt8(ascii: "/")
    }

    /// Whether the bytes begin with a text in lower case, the case of their ASCII letters aside.
    func begins(with text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count >= length else { return false }
        for place in 0..<length {
            let byte = self[place]
            let lowered = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            guard lowered == text.utf8Start[place] else { return false }
        }
        return true
    }
}

extension String.UTF8View {
    /// Whether the text begins with one in lower case, the case of its ASCII letters aside.
    func begins(with text: StaticString) -> Bool {
        withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).begins(with: text) }
            ?? ContiguousArray(self).withUnsafeBytes { $0.begins(with: text) }
    }
}
