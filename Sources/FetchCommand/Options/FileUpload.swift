/// A file, or standard input, as the whole body.
struct FileUpload: Equatable, Sendable {
    /// Which flag asked: they differ in the method and in what is added to the request.
    enum Kind: Sendable {
        /// `--upload-file`: PUT, and the file's name is appended to a URL that ends in `/`.
        case put
        /// `--post-file`: POST, as a form unless a header says otherwise (wget's meaning).
        case post
    }

    let kind: Kind
    let source: InputSource
}
