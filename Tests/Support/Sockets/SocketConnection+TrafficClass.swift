import Foundation
import Synchronization

extension SocketConnection {
    /// The traffic class (DSCP and ECN) of the client's first IPv4 packet; `nil` if the kernel reports
    /// none.
    public func trafficClass() -> UInt8? {
        socket.withLock { descriptor in
            guard let number = descriptor?.number else { return nil }
            let level = Int32(IPPROTO_IP)
            var isOn: Int32 = 1
            setsockopt(number, level, IP_RECVTOS, &isOn, socklen_t(MemoryLayout<Int32>.size))
            // A list of control messages (cmsg(3)): a header of 16 bytes, then the value.
            var messages = [UInt8](repeating: 0, count: 256)
            var length = socklen_t(messages.count)
            guard getsockopt(number, level, IP_PKTOPTIONS, &messages, &length) == 0 else {
                return nil
            }
            return messages.prefix(Int(length)).withUnsafeBytes { bytes in
                var start = 0
                while start + 20 <= bytes.count {
                    let size = Int(
                        clamping: bytes.loadUnaligned(fromByteOffset: start, as: UInt.self)
                    )
                    let type = bytes.loadUnaligned(fromByteOffset: start + 12, as: Int32.self)
                    if type == IP_TOS { return bytes[start + 16] }
                    guard (16...bytes.count).contains(size) else { return nil }
                    start += (size + 7) & ~7
                }
                return nil
            }
        }
    }
}
