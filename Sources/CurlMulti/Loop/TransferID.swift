/// Names one transfer of one loop; never used twice.
public struct TransferID: Hashable, Sendable {
    let rawValue: UInt64
}
