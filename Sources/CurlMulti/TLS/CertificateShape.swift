/// The outer structure of a certificate in DER, and the name of its subject.
///
/// See [RFC 5280 §4.1](https://www.rfc-editor.org/rfc/rfc5280#section-4.1). It accepts only certificates
/// that OpenSSL certainly accepts. OpenSSL accepts more; libcurl loads a file with such certificates.
struct CertificateShape {
    /// A key that is equal for all names that OpenSSL considers equal; `nil` if we cannot determine it.
    let subjectKey: UInt64?

    /// Parses a certificate; `nil` if OpenSSL might refuse it, or read it differently.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var outside = DERReader(bytes)
        guard var certificate = outside.read(.sequence), outside.isAtEnd,
            var signed = certificate.read(.sequence), certificate.readAlgorithm(),
            certificate.readBits(), certificate.isAtEnd
        else { return nil }
        if signed.next == .version {
            guard var version = signed.read(.version), let number = version.read(.integer),
                number.count == 1, version.isAtEnd
            else { return nil }
        }
        guard let serial = signed.read(.integer), serial.isInteger, signed.readAlgorithm(),
            let issuer = signed.read(.sequence), Self.isName(issuer),
            var validity = signed.read(.sequence), validity.readTime(), validity.readTime(),
            validity.isAtEnd, let subject = signed.read(.sequence), Self.isName(subject),
            var key = signed.read(.sequence), key.readAlgorithm(), key.readBits(), key.isAtEnd
        else { return nil }
        if signed.next == .extensions {
            guard var wrapped = signed.read(.extensions), let extensions = wrapped.read(.sequence),
                wrapped.isAtEnd, Self.areExtensions(extensions)
            else { return nil }
        }
        guard signed.isAtEnd else { return nil }
        subjectKey = Self.key(of: subject)
    }

    /// A key that is equal for all names that OpenSSL considers equal; `nil` if the name may match any
    /// name.
    ///
    /// In names OpenSSL ignores the case of ASCII letters, the kind of string, and the order within a set
    /// (X509_NAME_cmp(3)). It also ignores white space at both ends, and the amount of it in between. The
    /// key ignores all white space and all bytes beyond ASCII.
    static func key(ofName bytes: UnsafeRawBufferPointer) -> UInt64? {
        var outside = DERReader(bytes)
        guard let name = outside.read(.sequence), outside.isAtEnd, isName(name) else { return nil }
        return key(of: name)
    }

    private static func key(of name: DERReader) -> UInt64 {
        var sum: UInt64 = 0
        var sets = name
        while var set = sets.read(.set) {
            while var pair = set.read(.sequence) {
                // FNV-1a.
                var hash: UInt64 = 0xCBF2_9CE4_8422_2325
                func take(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
                pair.read(.objectIdentifier)?.bytes.forEach(take)
                take(0)
                for byte in pair.readAny()?.bytes ?? .init(rebasing: name.bytes.prefix(0)) {
                    switch byte {
                    case 0x09...0x0D, 0x20, 0x80...: break
                    case 0x41...0x5A: take(byte | 0x20)
                    default: take(byte)
                    }
                }
                sum &+= hash
            }
        }
        return sum
    }

    private static func isName(_ name: DERReader) -> Bool {
        var sets = name
        while !sets.isAtEnd {
            guard var set = sets.read(.set), !set.isAtEnd else { return false }
            while !set.isAtEnd {
                guard var pair = set.read(.sequence), pair.readObjectIdentifier(),
                    let kind = pair.next, let value = pair.readAny(), pair.isAtEnd
                else { return false }
                switch kind {
                case .printableString, .ia5String, .latin1String: break
                case .utf8String: guard value.isUTF8 else { return false }
                default: return false
                }
            }
        }
        return true
    }

    private static func areExtensions(_ list: DERReader) -> Bool {
        var extensions = list
        while !extensions.isAtEnd {
            guard var one = extensions.read(.sequence), one.readObjectIdentifier() else {
                return false
            }
            if one.next == .boolean, one.read(.boolean)?.count != 1 { return false }
            guard one.read(.octetString) != nil, one.isAtEnd else { return false }
        }
        return true
    }
}

/// Reads consecutive elements in DER ([X.690](https://www.itu.int/rec/T-REC-X.690)).
struct DERReader {
    /// The identifiers of the elements in a certificate.
    enum Kind: UInt8 {
        case boolean = 0x01
        case integer = 0x02
        case bitString = 0x03
        case octetString = 0x04
        case null = 0x05
        case objectIdentifier = 0x06
        case utf8String = 0x0C
        case printableString = 0x13
        case latin1String = 0x14
        case ia5String = 0x16
        case utcTime = 0x17
        case generalizedTime = 0x18
        case sequence = 0x30
        case set = 0x31
        case version = 0xA0
        case extensions = 0xA3
    }

    let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }
    var count: Int { bytes.count }
    /// The kind of the next element; `nil` at the end, or if no certificate has such an element.
    var next: Kind? { isAtEnd ? nil : Kind(rawValue: bytes[position]) }

    /// Reads an element of a kind, and returns its content.
    mutating func read(_ kind: Kind) -> DERReader? {
        guard next == kind else { return nil }
        return readAny()
    }

    /// Reads an element, and returns its content; `nil` if its length is not in the shortest form.
    mutating func readAny() -> DERReader? {
        guard bytes.count - position >= 2 else { return nil }
        var start = position + 2
        var length = Int(bytes[position + 1])
        if length >= 0x80 {
            let digits = length & 0x7F
            guard (1...3).contains(digits), bytes.count - start >= digits else { return nil }
            length = bytes[start..<start + digits].reduce(0) { $0 << 8 | Int($1) }
            start += digits
            guard length >= 0x80, length >> (8 * (digits - 1)) > 0 else { return nil }
        }
        guard length <= bytes.count - start else { return nil }
        position = start + length
        return DERReader(UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]))
    }

    mutating func readObjectIdentifier() -> Bool {
        guard let identifier = read(.objectIdentifier) else { return false }
        return identifier.isObjectIdentifier
    }

    /// Reads an AlgorithmIdentifier, and ignores the content of its parameters.
    mutating func readAlgorithm() -> Bool {
        guard var algorithm = read(.sequence), algorithm.readObjectIdentifier() else {
            return false
        }
        guard !algorithm.isAtEnd else { return true }
        guard let kind = algorithm.next, let parameters = algorithm.readAny() else { return false }
        switch kind {
        case .null: guard parameters.count == 0 else { return false }
        case .objectIdentifier: guard parameters.isObjectIdentifier else { return false }
        case .sequence: break
        default: return false
        }
        return algorithm.isAtEnd
    }

    /// Reads a bit string.
    mutating func readBits() -> Bool {
        read(.bitString)?.bytes.first.map { $0 <= 7 } ?? false
    }

    /// Reads a time in one of its two forms.
    mutating func readTime() -> Bool {
        read(next == .utcTime ? .utcTime : .generalizedTime)?.isTime ?? false
    }

    /// Whether the content is an integer in the shortest form.
    var isInteger: Bool {
        guard count > 1 else { return count == 1 }
        let isPadded = bytes[0] == 0 && bytes[1] < 0x80 || bytes[0] == 0xFF && bytes[1] >= 0x80
        return !isPadded
    }

    var isUTF8: Bool {
        bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
    }

    private var isObjectIdentifier: Bool {
        guard let last = bytes.last, last < 0x80 else { return false }
        var begins = true
        for byte in bytes {
            if begins, byte == 0x80 { return false }
            begins = byte < 0x80
        }
        return true
    }

    private var isTime: Bool {
        guard count == 13 || count == 15, bytes.last == UInt8(ascii: "Z") else { return false }
        return bytes.dropLast().allSatisfy { (0x30...0x39).contains($0) }
    }
}
