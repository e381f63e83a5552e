/// Where an entry lies on disk.
struct DiskPlace: Sendable, Hashable {
    /// The name of its file.
    let name: String
    /// The file of its body, where that has one of its own.
    let body: String?
}
