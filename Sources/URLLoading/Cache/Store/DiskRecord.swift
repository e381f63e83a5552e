import FoundationEssentials
import HTTPSemantics

/// The content of an entry's file.
///
/// The file begins with an interim head (100) of the cache's own fields. The stored head of the
/// response follows, and then a small body. The first line also has the length and the checksum of all
/// bytes from its end to the end of both heads:
///
///     HTTP/1.1 100 fetch-cache-2 00000123 89abcdef
///     URL: https://example.org/
///     Request-Time: 1700000000.25
///     Response-Time: 1700000000.5
///     Body-Length: 5
///     Body-Check: 01234567
///
///     HTTP/2 200
///     Content-Type: text/plain
///
enum DiskRecord {
    case response(StoredHead, BodyRecord, userInfo: [String: any Sendable]?)
    /// The names of the fields that select one of a key's responses.
    case variants(VariantRecord)

    /// The place, length and checksum of a response's body.
    struct BodyRecord: Sendable, Hashable {
        /// Bytes.
        var length: Int64
        var checksum: UInt32
        /// The suffix of the body's own file, after the entry's name and a dot; `nil`: the body follows
        /// the record.
        var file: String?
    }

    /// How a key's responses are distinguished.
    struct VariantRecord: Sendable, Hashable {
        let key: CacheKey
        /// A part of the names of the responses' files; a new token makes files of an earlier record
        /// unreachable.
        let token: UInt64
        /// In lower case, sorted.
        let names: [String]
    }

    var key: CacheKey {
        switch self {
        case .response(let storedHead, _, _): storedHead.key
        case .variants(let variants): variants.key
        }
    }

    var body: BodyRecord? {
        if case .response(_, let body, _) = self { body } else { nil }
    }

    /// The first bytes of every file of this version.
    private static let magic = Array("HTTP/1.1 100 fetch-cache-2 ".utf8)
    private static let digits = 8
    /// The length of the first line with its line end, bytes.
    static let prefixLength = magic.count + digits + 1 + digits + 2
    /// The longest record, bytes: the limit of the head parser, without the first line.
    static let lengthLimit = 255 << 10
}

// Writing.
extension DiskRecord {
    /// The bytes of the file before the body; `nil` where they are too long, or would be parsed differently.
    var encoded: [UInt8]? {
        var text = HeadText()
        text.add("URL", key.url)
        if let credential = key.credential { text.add("Credential", credential) }
        switch self {
        case .response(let storedHead, let body, let userInfo):
            text.add("Request-Time", String(storedHead.requestTime))
            text.add("Response-Time", String(storedHead.responseTime))
            for field in storedHead.selection.fields {
                text.add("Selected-By", field.name)
                if let value = field.value { text.add("Selected-Value", value) }
            }
            text.add("Body-Length", String(body.length))
            text.add("Body-Check", body.checksum.hexText)
            if let file = body.file { text.add("Body-File", file) }
            for (name, value) in (userInfo ?? [:]).sorted(by: { $0.key < $1.key }) {
                if let member = UserInfoMember(name, value) { text.add("User-Info", member.text) }
            }
            text.end()
            text.begin(storedHead)
            for field in storedHead.fields.fields {
                text.add(field.name, Self.withoutReturns(field.value))
            }
        case .variants(let variants):
            text.add("Token", variants.token.hexText)
            for name in variants.names { text.add("Varies-By", name) }
        }
        text.end()
        guard text.isReadable, text.bytes.count <= Self.lengthLimit else { return nil }
        let file = Self.sealed(text.bytes)
        // The head parser has further limits, and drops blanks at the ends of values.
        return file.withUnsafeBytes { DiskRecord($0) }?.key == key ? file : nil
    }

    /// A carriage return in a field is equivalent to a space
    /// ([RFC 9110 §5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5)), and the parser drops spaces at both
    /// ends.
    private static func withoutReturns(_ value: String) -> String {
        guard value.utf8.contains(0x0D) else { return value }
        let bytes = value.utf8.map { $0 == 0x0D ? 0x20 : $0 }
        return String(decoding: Array(bytes.trimming(\.isBlank)), as: UTF8.self)
    }

    /// A record with the first line of its file.
    static func sealed(_ record: [UInt8]) -> [UInt8] {
        let checksum = record.withUnsafeBytes { Checksum($0).value }
        let numbers = "\(UInt32(clamping: record.count).hexText) \(checksum.hexText)\r\n"
        return magic + numbers.utf8 + record
    }

    /// The text of heads.
    private struct HeadText {
        private(set) var bytes: [UInt8] = []
        /// Whether all lines can be parsed back unchanged.
        private(set) var isReadable = true

        mutating func begin(_ storedHead: StoredHead) {
            let isVersion =
                storedHead.httpVersion.startsWithBytes(of: "HTTP/")
                && !storedHead.httpVersion.utf8.contains(UInt8(ascii: " "))
            if !isVersion || !(200...999).contains(storedHead.status) { isReadable = false }
            add(line: "\(storedHead.httpVersion) \(storedHead.status) \(storedHead.reason)")
        }

        mutating func add(_ name: String, _ value: String) {
            let isName =
                !name.utf8.contains(UInt8(ascii: ":")) && !name.startsWithBytes(of: "HTTP/")
                && name.utf8.first.map { $0 > 0x20 } ?? false
            if !isName { isReadable = false }
            add(line: "\(name): \(value)")
        }

        mutating func end() {
            add(line: "")
        }

        private mutating func add(line: String) {
            if line.utf8.contains(where: \.isLineEnd) { isReadable = false }
            bytes += line.utf8
            bytes += [0x0D, 0x0A]
        }
    }
}

// Reading.
extension DiskRecord {
    /// The length of a file's record, from its first bytes; `nil` where the file is not a cache file.
    static func length(_ bytes: UnsafeRawBufferPointer) -> Int? {
        numbers(bytes).map(\.length)
    }

    private static func numbers(
        _ bytes: UnsafeRawBufferPointer
    ) -> (length: Int, checksum: UInt32)? {
        guard bytes.count >= prefixLength, bytes.starts(with: magic) else { return nil }
        let text = bytes[magic.count..<prefixLength]
        guard text[text.startIndex + digits] == UInt8(ascii: " "),
            text.suffix(2).elementsEqual([0x0D, 0x0A]),
            let length = number(text.prefix(digits)),
            let checksum = number(text.dropFirst(digits + 1).prefix(digits)),
            length <= lengthLimit
        else { return nil }
        return (Int(length), checksum)
    }

    /// A number of eight digits, in lower case.
    private static func number(_ digits: some Collection<UInt8>) -> UInt32? {
        guard digits.allSatisfy(\.isLowerHex) else { return nil }
        return UInt32(String(decoding: Array(digits), as: UTF8.self), radix: 16)
    }

    /// Parses a file from its beginning to the record's end; `nil` where it is damaged.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let (length, checksum) = Self.numbers(bytes),
            bytes.count == Self.prefixLength + length,
            Checksum(UnsafeRawBufferPointer(rebasing: bytes[Self.prefixLength...])).value
                == checksum,
            let heads = HopHead.read(bytes), let own = heads.first?.fields,
            let key = own.first("URL").flatMap({
                CacheKey($0, credential: own.first("Credential"))
            })
        else { return nil }
        if heads.count == 2, let storedHead = StoredHead(key, own, heads[1]),
            let body = BodyRecord(own)
        {
            self = .response(storedHead, body, userInfo: UserInfoMember.dictionary(own))
        } else if heads.count == 1,
            let token = own.first("Token").flatMap({ UInt64($0, radix: 16) })
        {
            let names = own.fields.filter { $0.name == "Varies-By" }.map(\.value)
            self = .variants(VariantRecord(key: key, token: token, names: names))
        } else {
            return nil
        }
    }
}

extension StoredHead {
    fileprivate init?(_ key: CacheKey, _ own: HTTPHeaderFields, _ head: HopHead) {
        guard let requestTime = own.first("Request-Time").flatMap(Double.init),
            let responseTime = own.first("Response-Time").flatMap(Double.init),
            // Without a valid time the age is unknown.
            requestTime.isFinite, responseTime.isFinite
        else { return nil }
        var selection: [VarySelection.Field] = []
        for field in own.fields {
            if field.name == "Selected-By" {
                selection.append(VarySelection.Field(name: field.value, value: nil))
            } else if field.name == "Selected-Value", let last = selection.popLast() {
                selection.append(VarySelection.Field(name: last.name, value: field.value))
            }
        }
        self.init(
            key: key,
            head: head,
            requestTime: requestTime,
            responseTime: responseTime,
            selection: VarySelection(fields: selection)
        )
    }
}

extension DiskRecord.BodyRecord {
    fileprivate init?(_ own: HTTPHeaderFields) {
        guard let length = own.first("Body-Length").flatMap({ Int64($0) }), length >= 0,
            let checksum = own.first("Body-Check").flatMap({ UInt32($0, radix: 16) })
        else { return nil }
        let file = own.first("Body-File")
        // The suffix becomes part of a path.
        guard file?.utf8.allSatisfy(\.isLowerHex) ?? true else { return nil }
        self.init(length: length, checksum: checksum, file: file)
    }
}

/// A member of a program's dictionary in its form on disk: text, number, `Bool` or `Data`.
private struct UserInfoMember {
    /// Type, name and value, separated by colons; name and value in Base64, because they may be any text.
    let text: String

    /// `nil` for a value of another type.
    init?(_ name: String, _ value: any Sendable) {
        let (type, bytes): (String, Data)
        switch value {
        case let text as String: (type, bytes) = ("text", Data(text.utf8))
        case let flag as Bool: (type, bytes) = ("flag", Data(String(flag).utf8))
        case let number as Int: (type, bytes) = ("number", Data(String(number).utf8))
        case let number as Double: (type, bytes) = ("fraction", Data(String(number).utf8))
        case let data as Data: (type, bytes) = ("data", data)
        default: return nil
        }
        text = "\(type):\(Data(name.utf8).base64EncodedString()):\(bytes.base64EncodedString())"
    }

    /// All members; `nil`: none.
    static func dictionary(_ own: HTTPHeaderFields) -> [String: any Sendable]? {
        var userInfo: [String: any Sendable] = [:]
        for field in own.fields where field.name == "User-Info" {
            let parts = field.value.split(byte: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard parts.count == 3, let name = Data(base64Encoded: String(parts[1])),
                let bytes = Data(base64Encoded: String(parts[2]))
            else { continue }
            userInfo[String(decoding: name, as: UTF8.self)] = value(of: parts[0], bytes)
        }
        return userInfo.isEmpty ? nil : userInfo
    }

    private static func value(of type: Substring, _ bytes: Data) -> (any Sendable)? {
        let text = String(decoding: bytes, as: UTF8.self)
        return switch type {
        case "text": text
        case "flag": Bool(text)
        case "number": Int(text)
        case "fraction": Double(text)
        case "data": bytes
        default: nil
        }
    }
}
