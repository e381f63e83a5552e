import FoundationEssentials
import URLLoading

/// The plan of one task, of which nothing was sent yet; a class, because many functions pass it on.
final class TaskPlan: Sendable {
    let kind: TaskKind
    let address: WebAddress
    /// The request without its body; its header includes the defaults.
    let request: URLRequest
    /// Names of fields that a lower layer would send by default, but must not.
    let removedHeaders: [String]
    let body: BodyPlan
    /// The credentials for the URL's own origin only.
    let identity: Identity
    /// The expected digest, if a list of URLs gives one.
    let expected: ExpectedDigest?

    init(
        kind: TaskKind,
        address: WebAddress,
        request: URLRequest,
        removedHeaders: [String] = [],
        body: BodyPlan,
        identity: Identity,
        expected: ExpectedDigest? = nil
    ) {
        self.kind = kind
        self.address = address
        self.request = request
        self.removedHeaders = removedHeaders
        self.body = body
        self.identity = identity
        self.expected = expected
    }

    /// The fields to send; fields of the same name are not joined.
    var headers: [HeaderField] { request.headerFields.fields }
}

extension TaskPlan {
    /// Plans one URL.
    convenience init(
        _ options: borrowing Options,
        _ kind: TaskKind,
        address: WebAddress,
        body: BodyPlan,
        header: RequestHeader,
        identity: Identity,
        expected: ExpectedDigest? = nil
    ) throws(UsageError) {
        let isOwn = header.setsAuthorization
        var fields = header.fields
        if !isOwn, let sentAtOnce = identity.sentAtOnce {
            fields.add(sentAtOnce.text, to: "Authorization")
        }
        if let length = options.contentLength {
            fields.add("\(length)", to: "Content-Length")
        }
        if let cookie = identity.cookie { fields.add(cookie.text, to: "Cookie") }
        if !body.isSent, !kind.isHead, kind.destination == .standardOutput, Self.isArchive(address),
            [nil, .raw].contains(options.contentDecoding),
            options.header("Accept-Encoding") == nil
        {
            fields.add("identity", to: "Accept-Encoding")
        }
        let address = Self.address(address, uploading: options.upload)
        guard let url = URL(string: address.text) else {
            throw .invalidURL(address.redacted, reason: "is not a URL")
        }
        var request = URLRequest(url: url)
        request.httpMethod = Self.method(options)
        request.httpRequestTarget = options.requestTarget
        request.mainDocumentURL = url
        request.headerFields = fields
        self.init(
            kind: kind,
            address: address,
            request: request,
            removedHeaders: header.removed,
            body: body,
            identity: isOwn ? .none : identity,
            expected: expected
        )
    }

    /// Whether a URL names a compressed file, which a server's content coding must not decode.
    private static func isArchive(_ address: WebAddress) -> Bool {
        let name = String(address.path).asciiLowercased
        return [".gz", ".tgz", ".z", ".br", ".zst", ".tbz2", ".bz2", ".xz", ".svgz"].contains {
            name.endsWithBytes(of: $0)
        }
    }

    fileprivate static func method(_ options: borrowing Options) -> String {
        if let method = options.method { return method }
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
    var isHead: Bool

    init(destination: Destination, isHead: Bool = false) {
        (self.destination, self.isHead) = (destination, isHead)
    }

    /// Decides where the response of a URL goes; `output` is the destination of `-O`.
    init(
        _ options: borrowing Options,
        _ address: WebAddress,
        sendsBody: Bool,
        output: Destination?
    ) {
        let automatic = options.decidesByResponse ? Destination.own(of: address, options) : nil
        let named = output ?? (options.usesOwnNames ? .derived(from: address, options) : nil)
        destination =
            if sendsBody {
                automatic.map(Destination.automatic) ?? named ?? .standardOutput
            } else if options.headFlag != nil {
                output ?? .standardOutput
            } else if output == .standardOutput || (options.responses.includesHead && output == nil)
            {
                .standardOutput
            } else if let automatic {
                .automatic(automatic)
            } else if named == nil, !TaskPlan.method(options).hasBytes(of: "GET"),
                options.directory == nil
            {
                .standardOutput
            } else {
                named ?? .derived(from: address, options)
            }
        isHead = options.headFlag != nil && !sendsBody
    }

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
