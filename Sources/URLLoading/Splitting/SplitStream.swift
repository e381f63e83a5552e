/// One stream of a split download, as its sink knows it.
struct SplitStream: Sendable {
    let download: SplitDownload
    let number: Int
    let file: PartFile
    /// Its first byte's place in the file.
    let start: Int64
    /// The length of the whole file, bytes.
    let total: Int64
}
