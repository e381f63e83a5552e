import URLLoading

/// What bodies have to come to.
enum ChecksumPlan: Equatable, Sendable {
    /// Whatever they come to.
    case none
    case digest(ExpectedDigest)
    /// What a list says, which has this name in messages.
    case list(ChecksumList, name: String)
    /// What a list says that is fetched first.
    case remote(TaskPlan)
}

extension ChecksumPlan {
    /// Takes the flags over, and reads the file that they name.
    ///
    /// - Parameters:
    ///   - options: the command line.
    ///   - authentication: who one is: the first URL's origin is told that by a list of its own
    ///     too, and no other.
    /// - Throws: where the file cannot be read.
    init(
        _ options: Options,
        _ authentication: AuthenticationPlan
    ) throws(PlanError) {
        if let expected = options.checksum {
            self = .digest(expected)
            return
        }
        guard let source = options.checksumSource else {
            self = .none
            return
        }
        let path: String
        switch source {
        case .address(let address):
            let home = options.urls.first.flatMap { try? WebAddress($0) }?.origin
            let identity = try authentication.identity(at: address, home: home)
            self = .remote(TaskPlan(listAt: address, options, identity, home: home))
            return
        case .file(let named): path = named
        case .standardInput: path = "/dev/stdin"
        }
        do throws(FileFailure) {
            let bytes = try FileContent.bytes(of: path, limit: ChecksumList.sizeLimit)
            self = .list(ChecksumList(bytes), name: source.name)
        } catch {
            throw .file(error)
        }
    }
}

extension TaskPlan {
    /// Plans the fetching of a list of checksums: a plain GET, with the user's own header only
    /// where it goes to the same origin as the first URL.
    fileprivate init(
        listAt address: WebAddress,
        _ options: Options,
        _ identity: Identity,
        home: Origin?
    ) {
        var own = Options()
        own.userAgent = options.userAgent
        if options.refusesCaches { own.cachePolicy = options.cachePolicy }
        if address.origin == home {
            own.headers = options.headers.filter { edit in
                !["Range", "If-Range", "Accept"].contains {
                    HTTPHeaderFields.areSame($0, edit.name)
                } && !edit.name.lowercased().hasPrefix("if-")
                    && !edit.name.lowercased().hasPrefix("content-")
            }
        }
        self.init(
            own,
            address: address,
            body: .none,
            header: RequestHeader(own, body: .none),
            output: .standardOutput,
            identity: identity
        )
    }
}
