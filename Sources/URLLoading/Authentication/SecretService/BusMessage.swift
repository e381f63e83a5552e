import CSystemBus
import FoundationEssentials
import Glibc

/// A message on a bus; we write or read its arguments in order.
///
/// Types are D-Bus signatures: `a{ss}` is a dictionary of strings.
struct BusMessage: ~Copyable {
    let pointer: OpaquePointer
    private let functions: shim_sd_bus
    /// sd-bus's error for the first argument that it could not write; 0: none.
    private(set) var failure: CInt = 0

    init(_ pointer: OpaquePointer, _ functions: shim_sd_bus) {
        self.pointer = pointer
        self.functions = functions
    }

    deinit {
        _ = functions.sd_bus_message_unref(pointer)
    }

    /// Makes sd-bus overwrite the message's memory before it is freed.
    func clearWhenFreed() {
        _ = functions.sd_bus_message_sensitive(pointer)
    }

    func isReply(to cookie: UInt64) -> Bool {
        var replyCookie: UInt64 = 0
        return functions.sd_bus_message_get_reply_cookie(pointer, &replyCookie) >= 0
            && replyCookie == cookie
    }

    func isSignal(_ member: String, of interface: String, at path: String) -> Bool {
        functions.sd_bus_message_is_signal(pointer, interface, member) > 0
            && functions.sd_bus_message_get_path(pointer).map { strcmp($0, path) == 0 } ?? false
    }

    /// The error of a reply; `nil`: none.
    var error: CredentialStoreError? {
        guard let error = functions.sd_bus_message_get_error(pointer),
            let name = error.pointee.name.map({ String(cString: $0) })
        else { return nil }
        let words = error.pointee.message.map { String(cString: $0) } ?? ""
        if name == "org.freedesktop.Secret.Error.IsLocked" { return .locked }
        // An error of the bus means that the service does not exist.
        let isOfBus = name.startsWithBytes(of: "org.freedesktop.DBus.Error.")
        return isOfBus ? .unavailable(words.isEmpty ? name : words) : .refused("\(name): \(words)")
    }
}

// Writing arguments. The call that sends the message reports the first error.
extension BusMessage {
    /// Writes a string, or a value with a string's form: an object path (`o`) or a signature (`g`).
    mutating func append(_ text: String, as type: Unicode.Scalar = "s") {
        note(
            text.utf8.contains(0)
                ? -EINVAL
                : functions.sd_bus_message_append_basic(pointer, CChar(type.value), text)
        )
    }

    mutating func append(_ flag: Bool) {
        var value: CInt = flag ? 1 : 0
        note(functions.sd_bus_message_append_basic(pointer, CChar(UInt8(ascii: "b")), &value))
    }

    mutating func append(_ bytes: [UInt8]) {
        let type = CChar(UInt8(ascii: "y"))
        note(functions.sd_bus_message_append_array(pointer, type, bytes, bytes.count))
    }

    mutating func append(paths: [String]) {
        append("a", of: "o") { message in
            for path in paths { message.append(path, as: "o") }
        }
    }

    mutating func append(_ dictionary: [String: String]) {
        append("a", of: "{ss}") { message in
            for (name, value) in dictionary {
                message.append("e", of: "ss") { entry in
                    entry.append(name)
                    entry.append(value)
                }
            }
        }
    }

    /// Writes a container: `a` an array, `e` a dictionary entry, `r` a structure, `v` a variant.
    mutating func append(
        _ container: Unicode.Scalar,
        of contents: String,
        _ write: (inout BusMessage) -> Void
    ) {
        note(functions.sd_bus_message_open_container(pointer, CChar(container.value), contents))
        write(&self)
        note(functions.sd_bus_message_close_container(pointer))
    }

    private mutating func note(_ result: CInt) {
        if failure == 0 { failure = min(0, result) }
    }
}

// Reading arguments. A value of another type is an error, except in a variant.
extension BusMessage {
    /// Reads a string or an object path (`o`).
    func text(_ type: Unicode.Scalar = "s") throws(CredentialStoreError) -> String {
        var text: UnsafePointer<CChar>?
        try readBasic(type, &text)
        guard let text else { throw .protocolMismatch }
        return String(cString: text)
    }

    func flag() throws(CredentialStoreError) -> Bool {
        var value: CInt = 0
        try readBasic("b", &value)
        return value != 0
    }

    func number() throws(CredentialStoreError) -> UInt64 {
        var value: UInt64 = 0
        try readBasic("t", &value)
        return value
    }

    private func readBasic(
        _ type: Unicode.Scalar,
        _ value: UnsafeMutableRawPointer
    ) throws(CredentialStoreError) {
        let count = functions.sd_bus_message_read_basic(pointer, CChar(type.value), value)
        guard count > 0 else { throw .protocolMismatch }
    }

    func bytes() throws(CredentialStoreError) -> [UInt8] {
        var start: UnsafeRawPointer?
        var count = 0
        let type = CChar(UInt8(ascii: "y"))
        guard functions.sd_bus_message_read_array(pointer, type, &start, &count) >= 0 else {
            throw .protocolMismatch
        }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func paths() throws(CredentialStoreError) -> [String] {
        try array(of: "o") { () throws(CredentialStoreError) in try text("o") }
    }

    func dictionary() throws(CredentialStoreError) -> [String: String] {
        let pairs = try array(of: "{ss}") { () throws(CredentialStoreError) in
            try inside("e", of: "ss") { () throws(CredentialStoreError) in
                (try text(), try text())
            }
        }
        return Dictionary(pairs) { _, last in last }
    }

    func array<Element>(
        of contents: String,
        _ element: () throws(CredentialStoreError) -> Element
    ) throws(CredentialStoreError) -> [Element] {
        try inside("a", of: contents) { () throws(CredentialStoreError) in
            var elements: [Element] = []
            while try MessageBus.check(functions.sd_bus_message_at_end(pointer, 0)) == 0 {
                elements.append(try element())
            }
            return elements
        }
    }

    /// Reads a container, whose type is named as for writing.
    func inside<Content>(
        _ container: Unicode.Scalar,
        of contents: String,
        _ read: () throws(CredentialStoreError) -> Content
    ) throws(CredentialStoreError) -> Content {
        let type = CChar(container.value)
        guard functions.sd_bus_message_enter_container(pointer, type, contents) > 0 else {
            throw .protocolMismatch
        }
        let content = try read()
        guard functions.sd_bus_message_exit_container(pointer) >= 0 else { throw .protocolMismatch }
        return content
    }

    /// Reads a variant; skips one of another type, and returns `nil`.
    func variant<Content>(
        of contents: String,
        _ read: () throws(CredentialStoreError) -> Content
    ) throws(CredentialStoreError) -> Content? {
        var found: UnsafePointer<CChar>?
        guard functions.sd_bus_message_peek_type(pointer, nil, &found) > 0, let found else {
            throw .protocolMismatch
        }
        guard strcmp(found, contents) == 0 else {
            try skip("v")
            return nil
        }
        return try inside("v", of: contents, read)
    }

    func skip(_ types: String) throws(CredentialStoreError) {
        guard functions.sd_bus_message_skip(pointer, types) >= 0 else { throw .protocolMismatch }
    }
}
