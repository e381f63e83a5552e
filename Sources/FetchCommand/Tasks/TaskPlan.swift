import FoundationEssentials
import URLLoading

/// One task: everything about it is decided, nothing was sent.
struct TaskPlan: Equatable, Sendable {
    var kind: TaskKind
    let address: WebAddress
    /// The request without its body, defaults among its header's lines.
    let request: URLRequest
    /// Names that must not be sent, though a layer below would send them by default.
    let removedHeaders: [String]
    let body: BodyPlan
    /// The credentials for the URL's own origin, and for no other.
    let identity: Identity
    /// The expected digest from a list.
    var expected: ExpectedDigest?

    /// The lines to send; several of one name stay several.
    var headers: [HeaderField] {
        request.headerFields.fields.map { HeaderField($0.name, $0.value) }
    }

    /// The same task, with a numbered file if one exists.
    func numbered(_ file: FileDestination) -> TaskPlan {
        var task = self
        var numbered = file
        numbered.ifExists = .number
        if case .upload = kind {
            task.kind = .upload(responseTo: .file(numbered))
        } else {
            task.kind = .download(to: .file(numbered))
        }
        return task
    }
}

extension TaskPlan {
    /// Plans one URL.
    ///
    /// `output` is what `-O` names.
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
            throw .invalidURL(address.redacted, reason: "is not a URL", hint: nil)
        }
        var request = URLRequest(url: url)
        request.httpMethod = method.name
        request.httpRequestTarget = options.requestTarget
        request.mainDocumentURL = url
        for field in fields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        self.request = request
        self.identity = isOwn ? .none : identity
    }

    /// Whether a URL names a compressed file: some servers label it with a content coding, and
    /// decoding would give another file.
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

    /// Appends the file's name to a URL that ends in `/`, or that has no path at all.
    private static func address(_ address: WebAddress, uploading upload: FileUpload?) -> WebAddress
    {
        guard let upload, upload.kind == .put, case .file(let path) = upload.source,
            address.path.isEmpty || address.path.utf8.last == UInt8(ascii: "/")
        else { return address }
        return address.appending(segment: FileName.lastComponent(ofPath: path))
    }
}

/// The kind of task for a URL.
enum TaskKind: Equatable, Sendable {
    /// A download task; never `.standardOutput`.
    case download(to: Destination)
    /// A data task, its body to standard output.
    case data
    /// A data task, its body to standard output unless the response makes it a download to this
    /// file.
    case auto(FileDestination)
    /// An upload task; its body is the plan's.
    case upload(responseTo: Destination)
    /// A data task of which the response's header is the result, in lines; a body is not read.
    case head(to: Destination)
}

extension TaskKind {
    /// Where the result goes.
    var destination: Destination {
        switch self {
        case .download(let destination), .upload(let destination), .head(let destination):
            destination
        case .data: .standardOutput
        case .auto(let file): .automatic(file)
        }
    }

    /// The file that the response's body goes to, if it is one.
    var file: FileDestination? {
        switch self {
        case .download(to: .file(let file)), .upload(responseTo: .file(let file)): file
        case .download, .upload, .head, .data, .auto: nil
        }
    }

    /// The file that the response's body goes to, or may go to.
    var possibleFile: FileDestination? {
        if case .automatic(let file) = destination { file } else { file }
    }
}

extension TaskPlan {
    /// The local file that is fetched, which must not be written to meanwhile.
    var localFile: InputFile? {
        address.filePath.map { InputFile(flag: address.text, path: $0) }
    }
}
