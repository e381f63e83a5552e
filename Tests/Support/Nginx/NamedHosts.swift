import Foundation

/// An nginx that serves `example.org` and the other hosts that the documents name.
///
/// `fetch` and curl reach it by files of flags that map every host to its ports, so commands need no
/// change. It is started once per test process.
///
/// | host | |
/// |---|---|
/// | `example.org` | `served`; `/slow/NAME`: the same, slowly without a Range field |
/// | `api.example.org` | `/items`: JSON; `/user`: with the token `s3cret`; `/login` and `/report.txt`: a cookie |
/// | `dav.example.org` | `PUT` |
/// | `files.example.org` | `served`, for `robot` with the password `secret` |
/// | `intranet.example.org` | `served`, for clients with a certificate |
/// | `down.example.org` | nothing: connections are refused |
public final class NamedHosts: Sendable {
    private static let started = Result { try NamedHosts() }

    /// The servers of this test process.
    ///
    /// - Throws: `TestSupportError` when nginx or openssl is missing, or nginx does not start.
    public static var shared: NamedHosts {
        get throws { try started.get() }
    }

    /// The variables with which a program finds the hosts.
    public let environment: [String: String]

    private let folder: TemporaryFolder

    private init() throws {
        let folder = try TemporaryFolder("hosts")
        Janitor.shared.deleteAtExit(folder)
        try Tool.run(Self.certificates, in: folder)
        try Tool.run(Self.served, in: folder)
        let ports = try Daemon.onFreePorts(2) { ports in
            try folder.write(
                Self.configuration(folder: folder, tls: ports[0], plain: ports[1]),
                to: "nginx.conf"
            )
            try Nginx.start(in: folder)
            return ports
        }
        // The first match counts. No server listens on port 1.
        let targets = [
            "down.example.org:443:127.0.0.1:1",
            ":443:127.0.0.1:\(ports[0])", ":80:127.0.0.1:\(ports[1])",
        ]
        let authority = folder.path("company.pem")
        let fetch = targets.map { "--connect-to \($0)\n" } + ["--ca-certificate \(authority)\n"]
        try folder.write(fetch.joined(), to: "config")
        let curl = targets.map { "--connect-to \"\($0)\"\n" } + ["--cacert \(authority)\n"]
        try folder.write(curl.joined(), to: ".curlrc")
        self.folder = folder
        environment = ["FETCH_CONFIG": folder.path("config"), "CURL_HOME": folder.path]
    }

    /// The path of a file that a host serves or has stored.
    public func path(_ name: String) -> String { folder.path(name) }

    /// Puts the files that the documents' commands need into a folder.
    public func prepare(_ place: TemporaryFolder) throws {
        try Tool.run(Self.found, arguments: [folder.path], in: place)
    }

    /// Makes an authority, and its certificates for the hosts and a client.
    private static let certificates = #"""
        key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
        openssl req -x509 $key -days 3650 -subj '/CN=Company Authority' \
            -addext 'keyUsage=critical,keyCertSign' -keyout company.key -out company.pem
        signed() {
            openssl req -new $key -subj "/CN=$1" -keyout "$1.key" -out "$1.csr"
            printf '%s\n' "$2" >"$1.ext"
            openssl x509 -req -in "$1.csr" -CA company.pem -CAkey company.key -CAcreateserial \
                -days 3650 -extfile "$1.ext" -out "$1.pem"
        }
        signed server 'subjectAltName=DNS:example.org,DNS:*.example.org'
        signed client 'extendedKeyUsage=clientAuth'
        """#

    /// Makes the files that the hosts serve.
    private static let served = #"""
        mkdir served stored
        echo 'robot:{PLAIN}secret' >passwords
        cd served
        printf 'echo "tool 1.2.3 is installed"\n' >install.sh
        for name in debian.iso disk.img one.txt two.txt; do echo "the content of $name" >$name; done
        printf 'b\na\nb\n' >words.txt
        printf '{"tag": "v1.2.3"}\n' >latest.json
        head -c 1000000 /dev/zero >toolchain.tar
        mkdir -p tool/bin
        printf '#!/bin/sh\necho "tool 1.2.3"\n' >tool/bin/tool
        chmod +x tool/bin/tool
        tar -czf tool-1.2.3.tar.gz tool
        rm -r tool
        mkdir -p fetch-1.1.0-linux-x86_64/bin
        printf '#!/bin/sh\nexec "$FETCH" "$@"\n' >fetch-1.1.0-linux-x86_64/bin/fetch
        chmod +x fetch-1.1.0-linux-x86_64/bin/fetch
        tar -czf fetch-1.1.0-linux-x86_64.tar.gz fetch-1.1.0-linux-x86_64
        rm -r fetch-1.1.0-linux-x86_64
        sha256sum * >../SHA256SUMS
        mv ../SHA256SUMS .
        """#

    /// Makes the files that a command needs in its folder.
    private static let found = #"""
        printf 'https://example.org/%s\n' one.txt two.txt >urls.txt
        cp "$1/served/SHA256SUMS" "$1/company.pem" "$1/client.pem" "$1/client.key" .
        mkdir notes
        echo remember >notes/today.txt
        echo '%PDF' >report.pdf
        echo s3cret >token.txt
        echo secret >password.txt
        """#

    private static func configuration(folder: TemporaryFolder, tls: Int, plain: Int) -> String {
        func server(_ host: String, _ body: String, root: String = "served") -> String {
            """
                server {
                    listen 127.0.0.1:\(tls) ssl http2;
                    server_name \(host);
                    root \(folder.path)/\(root);
            \(body)
                }

            """
        }
        return """
            \(geteuid() == 0 ? "user root;" : "")
            daemon off;
            worker_processes 1;
            worker_shutdown_timeout 1s;
            pid \(folder.path)/nginx.pid;
            lock_file \(folder.path)/nginx.lock;
            events { worker_connections 512; }
            http {
                access_log off;
                client_body_temp_path \(folder.path)/bodies;
                proxy_temp_path \(folder.path)/proxy;
                fastcgi_temp_path \(folder.path)/fastcgi;
                uwsgi_temp_path \(folder.path)/uwsgi;
                scgi_temp_path \(folder.path)/scgi;
                types { application/json json; text/plain txt; }
                ssl_certificate \(folder.path)/server.pem;
                ssl_certificate_key \(folder.path)/server.key;
                map $http_authorization $is_known { default 0; 'Bearer s3cret' 1; }
                map $http_range $slow { '' 20k; default 0; }
                # A proxy reads the whole body before it responds. A `return` does not, and may reset the stream.
                server { listen 127.0.0.1:\(plain); root \(folder.path)/served; location /login { return 204; } }

            """
                + server(
                    "example.org",
                    """
                            location /slow/ { alias \(folder.path)/served/; limit_rate $slow; }
                            location /thumbs/ { return 200 'a picture\n'; }
                    """
                )
                + server(
                    "api.example.org",
                    """
                            default_type application/json;
                            location / { return 200 '{"id": 7}\n'; }
                            location /user { if ($is_known = 0) { return 401; } return 200 '{"login": "robot"}\n'; }
                            location /login { add_header Set-Cookie 'id=7; Max-Age=3600'; proxy_pass http://127.0.0.1:\(plain)/login; }
                            location /report.txt { if ($cookie_id != 7) { return 403; } return 200 'the report\n'; }
                    """
                )
                + server(
                    "dav.example.org",
                    "        dav_methods PUT; create_full_put_path on;",
                    root: "stored"
                )
                + server(
                    "files.example.org",
                    "        auth_basic files; auth_basic_user_file \(folder.path)/passwords;"
                )
                + server(
                    "intranet.example.org",
                    "        ssl_client_certificate \(folder.path)/company.pem; ssl_verify_client on;"
                ) + "}\n"
    }
}
