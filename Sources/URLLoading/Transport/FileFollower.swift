/// What reads a file behind the sink that writes it.
struct FileFollower {
    let digest: FileDigest
    let requirements: [DigestRequirement]

    /// What is left to be found out when the file is whole.
    func check(at length: Int64) -> FileCheck {
        FileCheck(digest: digest, length: length, requirements: requirements)
    }
}
