import Foundation

extension Apache {
    /// The folder with the modules of Debian's `apache2-bin`.
    private static let modulesFolder = "/usr/lib/apache2/modules"

    private static let modules = [
        "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic",
        "auth_digest", "auth_gssapi", "alias", "brotli", "cgid", "dav", "dav_fs", "deflate",
        "filter",
        "headers", "ssl",
    ]

    /// The lines above the locations in `httpd.conf`.
    ///
    /// Quoted paths may contain anything but quotes: httpd takes them from its command line, not from a
    /// shell.
    static func configuration(
        folder: TemporaryFolder,
        certificates: Certificates,
        ports: [Int]
    ) -> String {
        let loads = modules.map { "LoadModule \($0)_module \(modulesFolder)/mod_\($0).so\n" }
        let account = geteuid() == 0 ? "User \(account)\nGroup \(account)\n" : ""
        return loads.joined() + account
            + """
            ServerName localhost
            UseCanonicalName Off
            ServerRoot "\(folder.path)"
            DocumentRoot "\(folder.path)/root"
            DefaultRuntimeDir "\(folder.path)/run"
            Mutex "file:\(folder.path)/run"
            PidFile "\(folder.path)/pid"
            ScriptSock "\(folder.path)/run/scripts"
            DavLockDB "\(folder.path)/run/locks"
            ErrorLog "\(folder.path)/error.log"
            LogLevel info
            LogFormat "\(ApacheLogEntry.format)" tabs
            CustomLog "\(folder.path)/access.log" tabs
            StartServers 1
            ServerLimit 2
            ThreadsPerChild 64
            MaxRequestWorkers 128
            MinSpareThreads 1
            MaxSpareThreads 128
            MaxKeepAliveRequests 0
            LimitRequestBody 0
            Timeout 60
            SSLSessionCache none
            SSLCertificateFile "\(certificates.server.certificate)"
            SSLCertificateKeyFile "\(certificates.server.key)"
            SSLCACertificateFile "\(certificates.authority)"
            Listen 127.0.0.1:\(ports[0])
            Listen 127.0.0.1:\(ports[1])
            Listen 127.0.0.1:\(ports[2])
            <VirtualHost 127.0.0.1:\(ports[1])>
                SSLEngine On
            </VirtualHost>
            <VirtualHost 127.0.0.1:\(ports[2])>
                SSLEngine On
                SSLVerifyClient require
                SSLUserName SSL_CLIENT_S_DN_CN
            </VirtualHost>

            """
    }
}
