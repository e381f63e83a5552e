/// The types of D-Bus, each a letter, or letters in brackets.
enum DBusSignature {
    static func isClosing(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ")") || byte == UInt8(ascii: "}")
    }

    /// The multiple at which a value of a type begins.
    static func alignment(of type: ArraySlice<UInt8>) -> Int {
        switch type.first {
        case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("),
            UInt8(ascii: "{"):
            8
        default: 4
        }
    }

    /// Takes one whole type from the beginning of a signature.
    static func takeType(
        _ signature: inout ArraySlice<UInt8>
    ) throws(DBusError) -> ArraySlice<UInt8> {
        let whole = signature
        var open = 0
        while let byte = signature.popFirst() {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "{"): open += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"): open -= 1
            // An array's type goes on with that of its elements.
            case UInt8(ascii: "a"): continue
            default: break
            }
            guard open >= 0 else { throw .malformed }
            if open == 0 { return whole[..<signature.startIndex] }
        }
        throw .malformed
    }
}
