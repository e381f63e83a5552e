import FoundationEssentials
import URLLoading

/// The plan of one task; nothing was sent yet.
struct TaskPlan: Equatable, Sendable {
    var kind: TaskKind
    let address: WebAddress
    /// The request without its body; its header includes the defaults.
    let request: URLRequest
    /// Names of fields that a lower layer would send by default, but must not.
    let removedHeaders: [String]
    let body: BodyPlan
    /// The credentials for the URL's own origin only.
    let identity: Identity
    /// The expected digest, if a list of URLs gives one.
    var expected: ExpectedDigest?

    /// The fields to send; fields of the same name are not joined.
    var headers: [HeaderField] { request.headerFields.fields }
}

extension TaskPlan {
    /// Plans one URL; `output` is the destination of `-O`.
    init(
        _ options: borrowing Options,
        address: WebAddress,
        body: BodyPlan,
        header: RequestHeader,
        output: Destination?,
        identity: Identity
    ) throws(UsageError) {
        let method = options.method ?? Self.defaultMethod(options)
        let automatic = options.decidesByResponse ? Destination.own(of: address, options) : nil
        let isNamedByURL = options.outputs.contains(nil) || options.namesAll
        let named = output ?? (isNamedByURL ? .derived(from: address, options) : nil)
        let destination: Destination =
            if body.isSent {
                automatic.map(Destination.automatic) ?? named ?? .standardOutput
            } else if options.headFlag != nil {
                output ?? .standardOutput
            } else if output == .standardOutput || (options.responses.includesHead && output == nil)
            {
                .standardOutput
            } else if let automatic {
                .automatic(automatic)
            } else if named == nil, !method.hasBytes(of: "GET"), options.directory == nil {
                .standardOutput
            } else {
                named ?? .derived(from: address, options)
            }
        let isHead = options.headFlag != nil && !body.isSent
        kind = TaskKind(destination: destination, isHead: isHead)
        self.address = Self.address(address, uploading: options.upload)
        self.body = body
        removedHeaders = header.removed
        let name = "Authorization"
        let isOwn =
            (header.fields.map(\.name) + header.removed).contains {
                HTTPHeaderFields.areSame($0, name)
            }
        var fields = header.fields
        if !isOwn, let sentAtOnce = identity.sentAtOnce {
            fields.append(HeaderField(name, sentAtOnce.text))
        }
        if let length = options.contentLength {
            fields.append(HeaderField("Content-Length", "\(length)"))
        }
        if let cookie = identity.cookie { fields.append(HeaderField("Cookie", cookie.text)) }
        if !body.isSent, !isHead, destination == .standardOutput, Self.isArchive(address),
            [nil, .raw].contains(options.contentDecoding),
            options.header("Accept-Encoding") == nil
        {
            fields.append(HeaderField("Accept-Encoding", "identity"))
        }
        guard let url = URL(string: self.address.text) else {
            throw .invalidURL(address.redacted, reason: "is not a URL")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpRequestTarget = options.requestTarget
        request.mainDocumentURL = url
        for field in fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        self.request = request
        self.identity = isOwn ? .none : identity
    }

    /// Whether a URL names a compressed file, which a server's content coding must not decode.
    private static func isArchive(_ address: WebAddress) -> Bool {
        let name = String(address.path).asciiLowercased
        return [".gz", ".tgz", ".z", ".br", ".zst", ".tbz2", ".bz2", ".xz", ".svgz"].contains {
            name.endsWithBytes(of: $0)
        }
    }

    private static func defaultMethod(_ options: Options) -> String {
        if options.head { return "HEAD" }
        if let upload = options.upload { return upload.kind == .put ? "PUT" : "POST" }
        let hasBody = !options.data.isEmpty || !options.json.isEmpty || !options.form.isEmpty
        return hasBody ? "POST" : "GET"
    }

    /// Appends the file's name to a URL whose path is empty or ends with `/`.
    private static func address(_ address: WebAddress, uploading upload: FileUpload?) -> WebAddress
    {
        guard let upload, upload.kind == .put, let path = upload.source.path,
            address.path.isEmpty || address.path.utf8.last == UInt8(ascii: "/")
        else { return address }
        return address.appending(segment: FileName.lastComponent(ofPath: path))
    }
}

struct TaskKind: Equatable, Sendable {
    var destination: Destination
    /// Whether the result is the response's header, as lines; a body is not read.
    var isHead = false

    /// The file for the response's body; `nil` for other destinations.
    var file: FileDestination? { isHead ? nil : destination.file }

    /// Whether ``file`` is one; it need not be copied for that.
    var isFile: Bool {
        if case .file = destination { !isHead } else { false }
    }

    /// The file to which the response's body is or may be saved.
    var possibleFile: FileDestination? {
        if case .automatic(let file) = destination { file } else { file }
    }
}
