/// Where an entry lies on disk.
struct DiskPlace: Sendable, Hashable {
    /// The name of its file.
    let name: DiskName
    /// Which file of that name it is: a newer one is another.
    let inode: UInt64
    /// What its record says of its body.
    let body: DiskRecord.BodyRecord
}
