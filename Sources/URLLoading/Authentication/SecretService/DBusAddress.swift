/// The Unix sockets on which a session's message bus may be
/// ([D-Bus, Server Addresses](https://dbus.freedesktop.org/doc/dbus-specification.html#addresses)).
enum DBusAddress: Hashable {
    /// A socket in the file system.
    case path(String)
    /// A name of Linux's own kind, without a file.
    case abstract(String)

    /// What the environment names, in the order in which it is to be tried.
    static func session(environment: (String) -> String?) -> [DBusAddress] {
        if let text = environment("DBUS_SESSION_BUS_ADDRESS"), !text.isEmpty {
            return addresses(in: text)
        }
        // Where systemd has it; to start a bus of our own would help nobody.
        guard let folder = environment("XDG_RUNTIME_DIR"), folder.startsWithBytes(of: "/")
        else { return [] }
        return [.path("\(folder)/bus")]
    }

    /// Reads `unix:path=/run/user/1000/bus,guid=…;unix:abstract=…`; other kinds are passed over.
    static func addresses(in text: String) -> [DBusAddress] {
        text.split(byte: UInt8(ascii: ";")).compactMap { address in
            guard let options = address.droppingBytes(of: "unix:") else { return nil }
            for option in options.split(byte: UInt8(ascii: ",")) {
                let words = option.split(byte: UInt8(ascii: "="), maxSplits: 1)
                guard words.count == 2, let value = words[1].percentDecoded, !value.isEmpty,
                    !value.utf8.contains(0)
                else { continue }
                if words[0] == "path" { return .path(value) }
                if words[0] == "abstract" { return .abstract(value) }
            }
            return nil
        }
    }
}
