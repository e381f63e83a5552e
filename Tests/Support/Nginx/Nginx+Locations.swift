extension Nginx {
    /// The locations, which each of its servers has.
    ///
    /// | path | response |
    /// |---|---|
    /// | `/files/NAME` | a file of the document root: ETag, Last-Modified, ranges |
    /// | `/slow/NAME?rate=BYTES` | the same at that number of bytes per second (65536 unless given), and at full speed for the User-Agent `hurry` |
    /// | `/crowded/NAME?rate=BYTES` | the same, over two connections at once for each file; 503 |
    /// | `/no-length/NAME` | the same without length, ETag, ranges: chunked in HTTP/1.1 |
    /// | `/until-close/NAME` | the same, ended by the end of the connection |
    /// | `/gzip/NAME` | the same, compressed for clients that accept that |
    /// | `/gzip-static/NAME` | `NAME.gz` as it is stored, coded, for clients that accept that |
    /// | `/multipart/NAME` | a file as `multipart/x-mixed-replace; boundary="a b"` |
    /// | `/limited/NAME` | a file, once in 2 seconds; else 503 with `Retry-After: 2` |
    /// | `/trailers/NAME` | the same as `/no-length/NAME`, with a trailer `X-Sum: 1` |
    /// | `/digest/NAME?repr=…&content=…` | a file with these in `Repr-Digest` and `Content-Digest` |
    /// | `/digest-trailer/NAME?repr=…` | the same as `/no-length/NAME`, with that as a trailer |
    /// | `/cached/NAME?control=DIRECTIVES&vary=NAMES` | a file with these in `Cache-Control` and `Vary` |
    /// | `/varied/NAME?control=DIRECTIVES` | the same, compressed for clients that accept that: `Vary: Accept-Encoding` |
    /// | `/attachment/NAME` | the same with `Content-Disposition: attachment; filename="NAME"` |
    /// | `/private/NAME` | the same after Basic authentication as `name`, `secret` |
    /// | `/dav/NAME` | `PUT` stores, `DELETE` deletes, `GET` reads back |
    /// | `/echo/…` | the request as the server received it, as `name: value` lines |
    /// | `/echo-body` | the request's body (needs the echo module) |
    /// | `/cookies/set/NAME/VALUE` | an empty page with that cookie, for an hour and all paths |
    /// | `/cookies/session/NAME/VALUE` | the same, until the session ends |
    /// | `/cookies/delete/NAME` | the same, ended |
    /// | `/cookies/redirect/NAME/VALUE` | the same, and 302 to `/echo/target` |
    /// | `/hsts/AGE` | an empty page with `Strict-Transport-Security: max-age=AGE` |
    /// | `/status/CODE` | that status: see `statuses` |
    /// | `/redirect/CODE` | 301, 302, 303, 307 or 308 to `/echo/target` on the same origin |
    /// | `/redirect/relative`, `rooted` | 302 to `../echo/target`, to `/echo/target` |
    /// | `/redirect/loop` | 302 to itself |
    /// | `/redirect/chain/N` | 302 to N−1 (N up to 40); 0 responds with `end of chain` |
    /// | `/redirect/other-host` | 302 to the same port at `localhost` instead of `127.0.0.1` |
    /// | `/redirect/to-https` | 302 to the TLS server |
    /// | `/redirect/no-location` | 302 without a Location |
    static func locations(
        folder: TemporaryFolder,
        tlsPort: Int,
        hasEchoModule: Bool
    ) -> String {
        let root = "\(folder.path)/root"
        func files(_ path: String, _ more: String = "") -> String {
            "location /\(path)/ { alias \(root)/; \(more) }\n"
        }
        return files("files")
            + files("slow", "limit_rate $slow_rate;")
            + files("slow-at-first", "limit_rate $first_rate;")
            + files("limited", "limit_req zone=limited; add_header Retry-After 2 always;")
            + files("crowded", "limit_rate $slow_rate; limit_conn streams 2;")
            + files("no-length", noLength)
            + files("until-close", noLength + " chunked_transfer_encoding off;")
            + files("gzip", "gzip on; gzip_types *; gzip_min_length 0; gzip_http_version 1.0;")
            + files("gzip-static", "gzip_static on;")
            + files(
                "multipart",
                "types { } default_type 'multipart/x-mixed-replace; boundary=\"a b\"';"
            )
            + files("trailers", noLength + " add_trailer X-Sum 1;")
            + files(
                "digest",
                "add_header Repr-Digest $arg_repr; add_header Content-Digest $arg_content;"
            )
            + files(
                "digest-trailer",
                noLength + " add_header Trailer Repr-Digest; add_trailer Repr-Digest $arg_repr;"
            )
            + files("cached", cacheControl + " add_header Vary $arg_vary;")
            + files(
                "varied",
                cacheControl + " gzip on; gzip_types *; gzip_min_length 0; gzip_vary on;"
            )
            + files("private", "auth_basic private; auth_basic_user_file \(folder.path)/passwords;")
                + """
                location ~ ^/attachment/(?<attached>.*)$ {
                    alias \(root)/$attached;
                    add_header Content-Disposition 'attachment; filename="$attached"';
                }
                location /dav/ {
                    root \(root);
                    dav_methods PUT DELETE;
                    create_full_put_path on;
                }

                """
            + echoes(hasEchoModule: hasEchoModule)
            + cookies
            + statuses.map(status).joined()
            + redirects(tlsPort: tlsPort)
    }

    /// The statuses that `/status/CODE` supports.
    public static let statuses = [
        200, 204, 304, 400, 401, 403, 404, 405, 408, 410, 416, 418, 429, 500, 502, 503, 504,
    ]

    private static let cacheControl = "add_header Cache-Control $arg_control;"

    /// A substitution that never happens makes nginx drop the length, since it might happen.
    private static let noLength = "sub_filter_types *; sub_filter 'no such text' '';"

    private static func status(_ code: Int) -> String {
        let challenge = "add_header WWW-Authenticate 'Basic realm=\"test\"' always;"
        let hasNoBody = code == 204 || code == 304
        return """
            location = /status/\(code) {
                default_type text/plain;
                \(code == 401 ? challenge : "")
                return \(code)\(hasNoBody ? "" : " 'status \(code)\n'");
            }

            """
    }

    private static func echoes(hasEchoModule: Bool) -> String {
        let names = [
            "method": "request_method", "uri": "request_uri", "user-agent": "http_user_agent",
            "referer": "http_referer", "x-test": "http_x_test", "cookie": "http_cookie",
            "authorization": "http_authorization", "accept": "http_accept",
            "accept-encoding": "http_accept_encoding", "content-type": "content_type",
            "content-length": "content_length", "protocol": "server_protocol",
            "tls": "ssl_protocol", "remote": "remote_addr", "host": "http_host",
            "range": "http_range", "transfer-encoding": "http_transfer_encoding",
            "client-certificate": "ssl_client_s_dn", "x-api-key": "http_x_api_key",
            "expect": "http_expect", "port": "server_port",
        ]
        let lines = names.sorted { $0.key < $1.key }.map { "\($0.key): $\($0.value)\n" }
        let body = """
            location = /echo-body {
                default_type application/octet-stream;
                echo_read_request_body;
                echo_request_body;
            }

            """
        return """
            location /echo/ {
                default_type text/plain;
                return 200 '\(lines.joined())';
            }

            """ + (hasEchoModule ? body : "")
    }
}
