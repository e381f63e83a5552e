import Foundation

extension CertificateMatrix {
    /// The whole of `nginx.conf`.
    static func configuration(
        folder: TemporaryFolder,
        certificates: Certificates,
        ports: [Case: Int]
    ) -> String {
        let servers = Case.allCases.map { wrong in
            let pair = pair(wrong, folder: folder, certificates: certificates)
            return """
                server {
                    listen 127.0.0.1:\(ports[wrong] ?? 0) ssl;
                    ssl_certificate \(pair.certificate);
                    ssl_certificate_key \(pair.key);
                    ssl_protocols \(protocols(wrong));
                    location / { return 200 'ok\n'; }
                }

                """
        }
        return """
            \(geteuid() == 0 ? "user root;" : "")
            daemon off;
            worker_processes 1;
            pid \(folder.path)/nginx.pid;
            lock_file \(folder.path)/nginx.lock;
            error_log \(folder.path)/error.log info;
            events {
                worker_connections 512;
            }
            http {
                default_type text/plain;
                log_format tabs '\(AccessLogEntry.format)';
                access_log \(folder.path)/access.log tabs;
                client_body_temp_path \(folder.path)/bodies;
                proxy_temp_path \(folder.path)/proxy;
                fastcgi_temp_path \(folder.path)/fastcgi;
                uwsgi_temp_path \(folder.path)/uwsgi;
                scgi_temp_path \(folder.path)/scgi;
                ssl_ciphers DEFAULT@SECLEVEL=0;

            """ + servers.joined() + "}\n"
    }

    private static func pair(
        _ wrong: Case,
        folder: TemporaryFolder,
        certificates: Certificates
    ) -> Certificates.Pair {
        switch wrong {
        case .expired: certificates.expired
        case .wrongHost: certificates.wrongHost
        case .selfSigned: certificates.selfSigned
        case .revoked: certificates.revoked
        case .onlyTLS10, .onlyTLS11: certificates.server
        default:
            Certificates.Pair(
                certificate: folder.path("\(wrong.rawValue).pem"),
                key: wrong == .weakKey ? folder.path("weakKey.key") : certificates.server.key
            )
        }
    }

    private static func protocols(_ wrong: Case) -> String {
        switch wrong {
        case .onlyTLS10: "TLSv1"
        case .onlyTLS11: "TLSv1.1"
        default: "TLSv1.2 TLSv1.3"
        }
    }
}
