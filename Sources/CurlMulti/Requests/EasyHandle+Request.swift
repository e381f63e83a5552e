import CCurl
import HTTPSemantics

/// Applies a request to a handle, with one method for each part.
extension EasyHandle {
    /// Sets everything except the callbacks and the lists, which must outlive the transfer.
    ///
    /// The handle is new, or the slot has reset it: this does not set libcurl's defaults again. Without a
    /// bundle libcurl loads the trusted certificates itself.
    func apply(_ request: TransferRequest, trusting bundle: CertificateBundle?) throws(CurlCode) {
        try set(CURLOPT_URL, request.url)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        // libcurl must not use signals in a process with threads.
        try set(CURLOPT_NOSIGNAL, true)
        // The curl tool's own size (100 KiB) is the best for many small bodies, and nearly the best for
        // a large one. With a rate limit, pieces must be no larger than the limit can smooth.
        let rate = Int(clamping: request.receivePacer?.bytesPerSecond ?? 0)
        try set(CURLOPT_BUFFERSIZE, rate > 0 ? min(max(rate / 10, 1 << 10), 100 << 10) : 100 << 10)
        try set(CURLOPT_STREAM_WEIGHT, request.streamWeight)
        // The option names no file: it switches the engine on, and we keep the jar empty whenever we
        // send a request.
        if request.readsCookies { try set(CURLOPT_COOKIEFILE, "") }
        try applyMethod(request)
        if let target = request.requestTarget { try set(CURLOPT_REQUEST_TARGET, target) }
        if request.keepsDotSegments { try set(CURLOPT_PATH_AS_IS, true) }
        if !request.decodesTransferCodings { try set(CURLOPT_HTTP_TRANSFER_DECODING, false) }
        try apply(request.connection)
        if request.isSecure || request.connection.proxy != nil { try apply(request.tls, bundle) }
        try apply(server: request.authentication, proxy: request.proxyAuthentication)
    }

    private func applyMethod(_ request: TransferRequest) throws(CurlCode) {
        switch request.body {
        case .none where request.method == "HEAD": try set(CURLOPT_NOBODY, true)
        case .none:
            try set(CURLOPT_HTTPGET, true)
            if request.method != "GET" { try set(CURLOPT_CUSTOMREQUEST, request.method) }
        case .length(let bytes):
            try applyUpload(request.method)
            try set(CURLOPT_INFILESIZE_LARGE, offset: bytes)
            // 512 KiB needs 0.6 of the wall and CPU time of libcurl's 64 KiB; a small body gains nothing.
            if bytes > 64 << 10 { try set(CURLOPT_UPLOAD_BUFFERSIZE, 512 << 10) }
        case .unknownLength:
            try applyUpload(request.method)
            try set(CURLOPT_INFILESIZE_LARGE, offset: -1)
            try set(CURLOPT_UPLOAD_BUFFERSIZE, 512 << 10)
        }
    }

    private func applyUpload(_ method: String) throws(CurlCode) {
        try set(CURLOPT_UPLOAD, true)
        try set(CURLOPT_CUSTOMREQUEST, method)
    }

    private func apply(_ options: ConnectionOptions) throws(CurlCode) {
        try set(CURLOPT_HTTP_VERSION, options.httpVersion.curlValue)
        // 0 means libcurl's own 300 s; our idle clock decides if the request sets no limit.
        let connecting = options.connectTimeout.map { max(1, $0.milliseconds) } ?? Int(Int32.max)
        try set(CURLOPT_CONNECTTIMEOUT_MS, connecting)
        if options.minimumRateSeconds > 0 {
            try set(CURLOPT_LOW_SPEED_LIMIT, options.minimumBytesPerSecond)
            try set(CURLOPT_LOW_SPEED_TIME, options.minimumRateSeconds)
        }
        // libcurl keeps the addresses that CURLOPT_RESOLVE sets.
        if options.bypassesDNSCache { try set(CURLOPT_DNS_CACHE_TIMEOUT, 0) }
        if options.addressFamily != AF_UNSPEC {
            let isIPv4 = options.addressFamily == AF_INET
            try set(CURLOPT_IPRESOLVE, Int(isIPv4 ? CURL_IPRESOLVE_V4 : CURL_IPRESOLVE_V6))
        }
        if let interface = options.interface { try set(CURLOPT_INTERFACE, interface) }
        if let socket = options.unixSocketPath { try set(CURLOPT_UNIX_SOCKET_PATH, socket) }
        // The text is empty and not nil, since libcurl would otherwise read the environment.
        try set(CURLOPT_PROXY, options.proxy?.url ?? "")
        try set(CURLOPT_NOPROXY, "")
        if options.proxy?.opensTunnels == true { try set(CURLOPT_HTTPPROXYTUNNEL, true) }
        // With a user name, libcurl would respond to challenges by itself, also to those of a server
        // behind SOCKS.
        try set(CURLOPT_PROXYAUTH, 0)
        try applyProxyUser(options.proxy?.user, options.proxy?.password?.text)
        if !options.mayReuseConnection { try set(CURLOPT_FRESH_CONNECT, true) }
        try set(CURLOPT_TCP_KEEPALIVE, true)
    }

    private func apply(_ options: TLSOptions, _ bundle: CertificateBundle?) throws(CurlCode) {
        try set(CURLOPT_SSLVERSION, options.curlVersions)
        let file = bundle == nil ? options.certificateAuthorityFile : nil
        let folder =
            bundle?.folderName(beside: options.certificateAuthorityFolder)
            ?? options.certificateAuthorityFolder
        // libcurl would also read its built-in bundle, so we always set both.
        try set(CURLOPT_CAINFO, file)
        try set(CURLOPT_CAPATH, folder)
        try set(CURLOPT_CRLFILE, options.revocationListFile)
        try set(CURLOPT_SSL_VERIFYPEER, options.verifiesServer)
        // The options for the server's certificate, key and ciphers do not apply to a proxy.
        try set(CURLOPT_PROXY_SSLVERSION, options.curlVersions)
        try set(CURLOPT_PROXY_CAINFO, file)
        try set(CURLOPT_PROXY_CAPATH, folder)
        try set(CURLOPT_PROXY_SSL_VERIFYPEER, true)
        try set(CURLOPT_PROXY_SSL_VERIFYHOST, 2)
        // If the handler makes the final decision, we compare the host ourselves. We also resume no
        // earlier session, since the handler would not see its handshake. See Handshake.
        let isOurs = options.asksAboutServer
        try set(CURLOPT_SSL_VERIFYHOST, options.verifiesServer && !isOurs ? 2 : 0)
        try set(CURLOPT_SSL_SESSIONID_CACHE, !isOurs)
        try set(CURLOPT_SSL_OPTIONS, Handshake.serverFlag)
        try set(CURLOPT_PINNEDPUBLICKEY, options.pinnedPublicKey)
        try set(CURLOPT_SSL_CIPHER_LIST, options.cipherList)
        // Without a pass phrase, OpenSSL would ask for it at the terminal, and block all transfers.
        try set(CURLOPT_KEYPASSWD, options.clientCertificate?.keyPassword?.text ?? "")
        guard let client = options.clientCertificate else { return }
        try set(CURLOPT_SSLCERT, client.file)
        try set(CURLOPT_SSLCERTTYPE, client.format)
        try set(CURLOPT_SSLKEY, client.keyFile)
        if client.keyFile != nil, client.format != "P12" {
            try set(CURLOPT_SSLKEYTYPE, client.format)
        }
    }
}

extension EasyHandle {
    /// Makes libcurl authenticate; throws its error if its build lacks the method.
    func apply(
        server: ConnectionAuthentication?,
        proxy: ConnectionAuthentication?
    ) throws(CurlCode) {
        if let server {
            try set(CURLOPT_HTTPAUTH, server.method.curlValue)
            // With an empty name, libcurl starts a method that finds the name by itself.
            try set(CURLOPT_USERNAME, server.user ?? "")
            try set(CURLOPT_PASSWORD, server.password?.text ?? "")
        }
        // libcurl compares the credentials of a pooled connection only for NTLM.
        let negotiates = server?.method == .negotiate || proxy?.method == .negotiate
        try set(CURLOPT_FORBID_REUSE, negotiates)
        if let proxy {
            try set(CURLOPT_PROXYAUTH, proxy.method.curlValue)
            try applyProxyUser(proxy.user ?? "", proxy.password?.text ?? "")
        }
    }

    /// Sets the credentials for the proxy.
    ///
    /// libcurl decodes percent-encoding in both. 7.88 decodes again for each later connection of a
    /// transfer, so a `%41` in a password is not safe there.
    func applyProxyUser(_ user: String?, _ password: String?) throws(CurlCode) {
        guard let user else { return }
        try set(CURLOPT_PROXYUSERNAME, user.replacing("%", with: "%25"))
        try set(CURLOPT_PROXYPASSWORD, (password ?? "").replacing("%", with: "%25"))
    }
}

extension ConnectionAuthentication.Method {
    fileprivate var curlValue: Int {
        switch self {
        case .ntlm: shim_auth_ntlm
        case .negotiate: shim_auth_negotiate
        }
    }
}

extension ConnectionOptions.HTTPVersion {
    var curlValue: Int {
        switch self {
        case .automatic: CURL_HTTP_VERSION_2TLS
        case .http10: CURL_HTTP_VERSION_1_0
        case .http1: CURL_HTTP_VERSION_1_1
        case .http2: CURL_HTTP_VERSION_2_0
        }
    }
}

extension TLSOptions {
    /// libcurl's one number for both versions: the minimum in the lower half, the maximum in the upper half.
    var curlVersions: Int {
        let least = minimumVersion.map(Self.curlValue) ?? CURL_SSLVERSION_DEFAULT
        guard let most = maximumVersion.map(Self.curlValue) else { return least }
        return least | most << 16
    }

    /// libcurl's numbers follow each other, as those on the wire do.
    private static func curlValue(_ version: UInt16) -> Int {
        CURL_SSLVERSION_TLSv1_0 + Int(version) - 0x0301
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, within the range that libcurl accepts.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max) / 1_000 else { return Int(Int32.max) }
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let attosecondsInOne: Int64 = 1_000_000_000_000_000
        return Int(seconds) * 1_000 + Int((attoseconds + attosecondsInOne - 1) / attosecondsInOne)
    }
}
