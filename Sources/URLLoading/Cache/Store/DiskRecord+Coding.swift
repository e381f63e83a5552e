import FoundationEssentials

// The file of an entry: 8 bytes that say what it is, in which version; the record's length, 4 bytes;
// 4 bytes of nothing; its checksum, 8 bytes; the record; a small body.
extension DiskRecord {
    /// The beginning of every file; another version has another.
    private static let magic: [UInt8] = Array("fetchC\u{0}\u{1}".utf8)
    /// Bytes before the record.
    static let prefixLength = 24
    /// The longest record, bytes.
    static let lengthLimit = 1 << 20

    /// The beginning of the file, up to the body; `nil` where it would be too long.
    var encoded: [UInt8]? {
        var writer = ByteWriter()
        switch self {
        case .answer(let answer, let body, let userInfo):
            writer.put(UInt8(0))
            writer.put(answer.key)
            answer.write(to: &writer)
            writer.put(body.length)
            writer.put(body.checksum)
            writer.put(body.file)
            UserInfoCoding.write(userInfo, to: &writer)
        case .variants(let variants):
            writer.put(UInt8(1))
            writer.put(variants.key)
            writer.put(variants.token)
            writer.put(UInt32(variants.names.count))
            for name in variants.names { writer.put(name) }
        }
        guard writer.bytes.count <= Self.lengthLimit else { return nil }
        var file = ByteWriter()
        for byte in Self.magic { file.put(byte) }
        file.put(UInt32(writer.bytes.count))
        file.put(UInt32(0))
        file.put(writer.bytes.withUnsafeBytes { CacheChecksum.of($0) })
        return file.bytes + writer.bytes
    }

    /// The length of the record of a file, by its first bytes; `nil` where it is no such file.
    static func length(_ prefix: UnsafeRawBufferPointer) -> Int? {
        guard prefix.count >= prefixLength, prefix.starts(with: magic) else { return nil }
        let length = prefix.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        let count = Int(UInt32(littleEndian: length))
        return count <= lengthLimit ? count : nil
    }

    /// Reads the record of a file; `nil` where it is damaged.
    ///
    /// - Parameter bytes: from the file's beginning to the record's end.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let length = Self.length(bytes), bytes.count == Self.prefixLength + length else {
            return nil
        }
        let checksum = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        let record = UnsafeRawBufferPointer(rebasing: bytes[Self.prefixLength...])
        guard UInt64(littleEndian: checksum) == CacheChecksum.of(record) else { return nil }
        var reader = ByteReader(record)
        let kind = reader.number(UInt8.self)
        let key = CacheKey(&reader)
        switch (kind, key) {
        case (0, let key?):
            let answer = StoredAnswer(key, &reader)
            let body = BodyRecord(
                length: reader.number(Int64.self),
                checksum: reader.number(UInt64.self),
                file: reader.optionalText()
            )
            let userInfo = UserInfoCoding.read(&reader)
            guard reader.isComplete, body.length >= 0 else { return nil }
            self = .answer(answer, body, userInfo: userInfo)
        case (1, let key?):
            let token = reader.number(UInt64.self)
            let names = reader.list { $0.text() }
            guard reader.isComplete else { return nil }
            self = .variants(VariantRecord(key: key, token: token, names: names))
        default: return nil
        }
    }
}

extension ByteWriter {
    fileprivate mutating func put(_ key: CacheKey) {
        put(key.url)
        put(key.credential)
    }
}

extension CacheKey {
    fileprivate init?(_ reader: inout ByteReader) {
        let url = reader.text()
        let credential = reader.optionalText()
        self.init(url, credential: credential)
    }
}

extension StoredAnswer {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.put(UInt32(clamping: status))
        writer.put(httpVersion)
        writer.put(reason)
        writer.put(UInt32(fields.fields.count))
        for field in fields.fields {
            writer.put(field.name)
            writer.put(field.value)
        }
        writer.put(requestTime)
        writer.put(responseTime)
        writer.put(UInt32(selection.fields.count))
        for field in selection.fields {
            writer.put(field.name)
            writer.put(field.value)
        }
    }

    fileprivate init(_ key: CacheKey, _ reader: inout ByteReader) {
        let status = Int(reader.number(UInt32.self))
        let httpVersion = reader.text()
        let reason = reader.text()
        var fields = HTTPHeaderFields()
        for field in reader.list({ ($0.text(), $0.text()) }) { fields.add(field.1, to: field.0) }
        self.init(
            key: key,
            head: HopHead(
                status: status,
                httpVersion: httpVersion,
                reason: reason,
                fields: fields
            ),
            requestTime: reader.double(),
            responseTime: reader.double(),
            selection: VarySelection(
                fields: reader.list {
                    VarySelection.Field(name: $0.text(), value: $0.optionalText())
                }
            )
        )
    }
}
