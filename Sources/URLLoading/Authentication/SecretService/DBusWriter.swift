/// Writes values as D-Bus has them
/// ([Marshaling](https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-marshaling)),
/// little end first.
struct DBusWriter {
    private(set) var bytes: [UInt8] = []

    /// Zeros up to a multiple of this.
    mutating func align(_ alignment: Int) {
        while !bytes.count.isMultiple(of: alignment) { bytes.append(0) }
    }

    mutating func byte(_ value: UInt8) {
        bytes.append(value)
    }

    mutating func raw(_ value: some Sequence<UInt8>) {
        bytes += value
    }

    mutating func uint32(_ value: UInt32) {
        align(4)
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    mutating func boolean(_ value: Bool) {
        uint32(value ? 1 : 0)
    }

    /// A string or an object path.
    mutating func string(_ value: String) {
        uint32(UInt32(value.utf8.count))
        bytes += value.utf8
        bytes.append(0)
    }

    mutating func signature(_ value: String) {
        bytes.append(UInt8(value.utf8.count))
        bytes += value.utf8
        bytes.append(0)
    }

    /// An array; its length is of its elements alone, without what aligns the first.
    mutating func array(of alignment: Int, _ elements: (inout DBusWriter) -> Void) {
        uint32(0)
        let lengthAt = bytes.count - 4
        align(alignment)
        let start = bytes.count
        elements(&self)
        let length = UInt32(bytes.count - start)
        withUnsafeBytes(of: length.littleEndian) { encoded in
            for (index, byte) in encoded.enumerated() { bytes[lengthAt + index] = byte }
        }
    }

    mutating func array(_ value: some Sequence<UInt8>) {
        array(of: 1) { $0.raw(value) }
    }

    /// An array of object paths.
    mutating func paths(_ paths: [String]) {
        array(of: 4) { writer in
            for path in paths { writer.string(path) }
        }
    }

    /// A dictionary of strings, in the order of their names.
    mutating func dictionary(_ values: [String: String]) {
        array(of: 8) { writer in
            for (name, value) in values.sorted(by: { $0.key < $1.key }) {
                writer.align(8)
                writer.string(name)
                writer.string(value)
            }
        }
    }
}
