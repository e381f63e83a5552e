/// Names one transfer of one loop; never used twice, in no loop.
public struct TransferID: Hashable, Sendable {
    let rawValue: UInt64
}
