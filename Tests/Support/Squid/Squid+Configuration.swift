extension Squid {
    /// The folder of the helpers of Debian's squid.
    private static let helpers = "/usr/lib/squid"

    /// The whole of `squid.conf`.
    static func configuration(
        folder: TemporaryFolder,
        certificates: Certificates,
        ports: [Listener: Int]
    ) -> String {
        let listening = Listener.allCases.map { listener in
            let port = "127.0.0.1:\(ports[listener] ?? 0) name=\(listener.rawValue)"
            let pair = certificates.server
            return listener.hasTLS
                ? "https_port \(port) tls-cert=\(pair.certificate) tls-key=\(pair.key)\n"
                : "http_port \(port)\n"
        }
        return listening.joined()
            + authentication(folder: folder)
            + Listener.allCases.map(access).joined()
                + """
                http_access deny all
                sslproxy_session_cache_size 0
                cache deny all
                cache_mem 0
                memory_pools off
                pinger_enable off
                max_filedescriptors 1024
                shutdown_lifetime 0 seconds
                hosts_file \(folder.path)/hosts
                dns_nameservers 127.0.0.1
                dns_timeout 1 second
                dns_retransmit_interval 100 milliseconds
                via off
                forwarded_for delete
                visible_hostname localhost
                netdb_filename none
                coredump_dir none
                pid_filename \(folder.path)/run/pid
                cache_log \(folder.path)/run/cache.log
                logformat tabs \(SquidLogEntry.format)
                access_log stdio:\(folder.path)/run/access.log tabs
                buffered_logs off

                """
    }

    private static func authentication(folder: TemporaryFolder) -> String {
        """
        auth_param basic program \(helpers)/basic_ncsa_auth \(folder.path)/basic.users
        auth_param basic realm \(realm)
        auth_param basic children 1 startup=1
        auth_param digest program \(helpers)/digest_file_auth -c \(folder.path)/digest.users
        auth_param digest realm \(realm)
        auth_param digest children 1 startup=1
        auth_param digest nonce_max_count 5
        auth_param negotiate program \(helpers)/negotiate_kerberos_auth \
        -k \(folder.path)/http.keytab -s GSS_C_NO_NAME
        auth_param negotiate children 1 startup=0
        acl known proxy_auth REQUIRED
        acl sent_basic req_header Proxy-Authorization -i ^Basic

        """
    }

    /// The access rules of a listener.
    private static func access(_ listener: Listener) -> String {
        let name = listener.rawValue
        let here = "acl at_\(name) myportname \(name)\n"
        guard let schemes = listener.schemes else {
            return here + "http_access \(listener == .refusing ? "deny" : "allow") at_\(name)\n"
        }
        // squid accepts a good password of any scheme, whether it offered the scheme or not.
        let strict = schemes.contains("basic") ? "" : "http_access deny at_\(name) sent_basic\n"
        return here + "auth_schemes \(schemes) at_\(name)\n" + strict
            + "http_access allow at_\(name) known\n"
    }
}
