package import HTTPSemantics

/// The status line and the fields of a final response.
package struct ResponseHead: Sendable, Hashable {
    /// The version in the status line: `1.1`, `2`.
    package var version: String
    /// The status code, 100 to 999.
    package var status: Int
    /// The reason phrase; empty over HTTP/2.
    package var reason: String
    /// The fields in their order, with the server's spelling of names.
    ///
    /// The parser joins folded lines, and removes white space around values. It reads a value as
    /// Latin-1 if it is not UTF-8.
    package var fields: [HTTPHeaderFields.Field]
    /// All bytes up to the end of the head, with interim responses and a proxy's responses before it.
    ///
    /// Empty unless ``TransferRequest/recordsHeads`` is set.
    package var raw: [UInt8] = []
    /// The cookies that this response has set, each as a line of a Netscape cookie file, in their order.
    ///
    /// They include the cookies of refusals that libcurl has handled by itself. A cookie that the
    /// server deletes has long expired.
    ///
    /// libcurl has checked each cookie against the request's host and the public suffix list, and dropped
    /// those that the server may not set. The path is the one that the server wrote; empty if it wrote none.
    package var cookies: [String] = []
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

    /// Whether the head has a field of a name; the caller passes the name in lower case.
    func has(_ name: StaticString) -> Bool {
        fields.contains { $0.isNamed(name) }
    }

    /// The values of all fields of a name; the caller passes the name in lower case.
    func values(_ name: StaticString) -> [String] {
        var values: [String] = []
        for field in fields where field.isNamed(name) { values.append(field.value) }
        return values
    }
}

extension HTTPHeaderFields.Field {
    /// Whether the field has a name; the caller passes the name in lower case.
    func isNamed(_ name: StaticString) -> Bool {
        self.name.utf8.count == name.utf8CodeUnitCount && self.name.utf8.begins(with: name)
    }

    /// Whether a line is the field as servers write it: the name, a colon, one space and the value.
    func isLine(_ line: UnsafeRawBufferPointer) -> Bool {
        let length = name.utf8.count
        guard line.count == length + 2 + value.utf8.count, line[length] == UInt8(ascii: ":"),
            line[length + 1] == 0x20
        else { return false }
        return Self.hasBytes(name, line[..<length]) && Self.hasBytes(value, line[(length + 2)...])
    }

    private static func hasBytes(_ text: String, _ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes).assumingMemoryBound(to: UInt8.self)
        return text.utf8.withContiguousStorageIfAvailable { $0.hasBytes(of: bytes) }
            ?? text.utf8.elementsEqual(bytes)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a line begins the head of a response.
    var beginsHead: Bool {
        count >= 5 && self[0] == UInt8(ascii: "H") && self[1] == UInt8(ascii: "T")
            && self[2] == UInt8(ascii: "T") && self[3] == UInt8(ascii: "P")
            && self[4] == UInt8(ascii: "/")
    }

    /// Whether the bytes begin with a text in lower case, in any case of their ASCII letters.
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
    /// Whether the text begins with a text in lower case, in any case of its ASCII letters.
    func begins(with text: StaticString) -> Bool {
        withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).begins(with: text) }
            ?? ContiguousArray(self).withUnsafeBytes { $0.begins(with: text) }
    }
}
