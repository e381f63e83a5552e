import Foundation

extension Nginx {
    /// The path of Debian's `libnginx-mod-http-echo`.
    static let echoModule = "/usr/lib/nginx/modules/ngx_http_echo_module.so"

    /// The whole of `nginx.conf`.
    static func configuration(
        folder: TemporaryFolder,
        certificates: Certificates,
        ports: NginxPorts,
        hasEchoModule: Bool
    ) -> String {
        func server(
            _ listen: String,
            _ pair: Certificates.Pair? = nil,
            _ more: String = ""
        ) -> String {
            let tls = pair.map {
                "ssl_certificate \($0.certificate); ssl_certificate_key \($0.key);"
            }
            return """
                server {
                    listen \(listen);
                    server_name localhost;
                    \(tls ?? "")
                    \(more)
                    include \(folder.path)/locations.conf;
                }

                """
        }
        func tls(_ port: Int, _ pair: Certificates.Pair, _ more: String = "") -> String {
            server("127.0.0.1:\(port) ssl", pair, more)
        }

        let good = certificates.server
        let authority = "ssl_client_certificate \(certificates.authority);"
        let servers =
            server("127.0.0.1:\(ports.http)")
            + server("unix:\(folder.path)/socket")
            + tls(ports.tls, good)
            + server("127.0.0.1:\(ports.http2) ssl http2", good)
            + server("127.0.0.1:\(ports.fewRequests) ssl http2", good, "keepalive_requests 7;")
            + tls(ports.tls12, good, "ssl_protocols TLSv1.2;")
            + tls(ports.expired, certificates.expired)
            + tls(ports.selfSigned, certificates.selfSigned)
            + tls(ports.wrongHost, certificates.wrongHost)
            + tls(ports.revoked, certificates.revoked)
            + tls(ports.client, good, "ssl_verify_client on; \(authority)")
            + tls(ports.optionalClient, good, "ssl_verify_client optional; \(authority)")
        let header = hasEchoModule ? "load_module \(echoModule);\n" : ""
        return header + top(folder: folder) + servers + "}\n"
    }

    /// The lines above the servers; the brace of `http` is left open.
    private static func top(folder: TemporaryFolder) -> String {
        """
        \(geteuid() == 0 ? "user root;" : "")
        daemon off;
        worker_processes 1;
        worker_shutdown_timeout 1s;
        pid \(folder.path)/nginx.pid;
        lock_file \(folder.path)/nginx.lock;
        error_log \(folder.path)/error.log info;
        events {
            worker_connections 4096;
        }
        http {
            default_type application/octet-stream;
            types {
                text/html html;
                text/plain txt;
                application/json json;
                image/png png;
            }
            log_format tabs '\(AccessLogEntry.format)';
            access_log \(folder.path)/access.log tabs;
            client_body_temp_path \(folder.path)/bodies;
            proxy_temp_path \(folder.path)/proxy;
            fastcgi_temp_path \(folder.path)/fastcgi;
            uwsgi_temp_path \(folder.path)/uwsgi;
            scgi_temp_path \(folder.path)/scgi;
            client_max_body_size 0;
            client_body_buffer_size 1m;
            sendfile on;
            tcp_nodelay on;
            keepalive_requests 100000;
            ssl_protocols TLSv1.2 TLSv1.3;
            limit_req_zone $uri zone=limited:1m rate=30r/m;
            limit_conn_zone $server_port$uri zone=streams:1m;
            map $arg_rate $asked_rate {
                '' 65536;
                default $arg_rate;
            }
            map $http_user_agent $slow_rate {
                hurry 0;
                default $asked_rate;
            }
            map $http_range $first_rate {
                '' $slow_rate;
                default 0;
            }

        """
    }
}
