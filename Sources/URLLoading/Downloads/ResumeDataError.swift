/// What is wrong with resume data.
package enum ResumeDataError: Error, Equatable, CustomStringConvertible {
    /// It is not JSON, or not this library's, or lacks what it needs.
    case garbled(String)
    /// It is this library's, in a version that this one does not read.
    case version(Int)

    package var description: String {
        switch self {
        case .garbled(let words): "the resume data cannot be read: \(words)"
        case .version(let number):
            "the resume data is of version \(number), and versions \(ResumeData.version) and"
                + " \(ResumeData.versionWithHoles) are read"
        }
    }
}
