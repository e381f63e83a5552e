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

    /// The same task, with another destination for a body that is saved.
    func saving(to destination: Destination) -> TaskPlan {
        var task = self
        if case .upload = kind {
            task.kind = .upload(responseTo: destination)
        } else {
            task.kind = .download(to: destination)
        }
        return task
    }
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
        let isHead = options.head || method == .head
        let automatic = options.decidesByResponse ? Destination.own(of: address, options) : nil
        let isNamedByURL = options.outputs.contains(nil) || options.namesAll
        let named = output ?? (isNamedByURL ? .derived(from: address, options) : nil)
        if body.isSent {
            kind = .upload(
                responseTo: automatic.map(Destination.automatic) ?? named ?? .standardOutput
            )
        } else if isHead {
            kind = .head(to: output ?? .standardOutput)
        } else if output == .standardOutput || (options.responses.includesHead && output == nil) {
            kind = .data
        } else if let automatic {
            kind = .auto(automatic)
        } else if named == nil, method != .get, options.directory == nil {
            kind = .data
        } else {
            kind = .download(to: named ?? .derived(from: address, options))
        }
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
        if case .data = kind, Self.isArchive(address),
            [nil, .raw].contains(options.contentDecoding),
            !options.headers.contains(where: {
                HTTPHeaderFields.areSame($0.name, "Accept-Encoding")
            })
        {
            fields.append(HeaderField("Accept-Encoding", "identity"))
        }
        guard let url = URL(string: self.address.text) else {
            throw .invalidURL(address.redacted, reason: "is not a URL")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method.name
        request.httpRequestTarget = options.requestTarget
        request.mainDocumentURL = url
        for field in fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        self.request = request
        self.identity = isOwn ? .none : identity
    }

    /// Whether a URL names a compressed file, which must not be decoded if a server labels it with
    /// a content coding.
    private static func isArchive(_ address: WebAddress) -> Bool {
        let name = String(address.path).asciiLowercased
        return [".gz", ".tgz", ".z", ".br", ".zst", ".tbz2", ".bz2", ".xz", ".svgz"].contains {
            name.endsWithBytes(of: $0)
        }
    }

    private static func defaultMethod(_ options: Options) -> HTTPMethod {
        if options.head { return .head }
        if let upload = options.upload { return upload.kind == .put ? .put : .post }
        return options.data.isEmpty && options.json.isEmpty && options.form.isEmpty ? .get : .post
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

/// The kind of task for a URL.
enum TaskKind: Equatable, Sendable {
    /// A download task; its destination is never `.standardOutput`.
    case download(to: Destination)
    /// A data task; its body is written to standard output.
    case data
    /// A data task; its body is written to standard output, unless the response makes it a download
    /// to this file.
    case auto(FileDestination)
    /// An upload task; its body is the plan's.
    case upload(responseTo: Destination)
    /// A data task whose result is the response's header, as lines; a body is not read.
    case head(to: Destination)
}

extension TaskKind {
    /// The destination of the result.
    var destination: Destination {
        switch self {
        case .download(let destination), .upload(let destination), .head(let destination):
            destination
        case .data: .standardOutput
        case .auto(let file): .automatic(file)
        }
    }

    /// The file for the response's body; `nil` for other destinations.
    var file: FileDestination? {
        switch self {
        case .download(to: .file(let file)), .upload(responseTo: .file(let file)): file
        case .download, .upload, .head, .data, .auto: nil
        }
    }

    /// Whether ``file`` is one; it need not be copied for that.
    var isFile: Bool {
        switch self {
        case .download(to: .file), .upload(responseTo: .file): true
        case .download, .upload, .head, .data, .auto: false
        }
    }

    /// The file to which the response's body is or may be saved.
    var possibleFile: FileDestination? {
        if case .automatic(let file) = destination { file } else { file }
    }
}

extension TaskPlan {
    /// The local file that is read, which no output may overwrite.
    var localFile: InputFile? {
        address.filePath.map { InputFile(flag: address.text, path: $0) }
    }
}
