extension Nginx {
    /// The locations below `/redirect/`.
    static func redirects(tlsPort: Int) -> String {
        func redirect(_ name: String, _ code: Int = 302, to target: String) -> String {
            "location = /redirect/\(name) { return \(code) \(target); }\n"
        }
        let here = "$scheme://$http_host"
        // `return 302` would send an empty Location.
        let noLocation = """
            location = /redirect/no-location { error_page 418 =302 /files/hello.txt; return 418; }

            """
        let codes = [301, 302, 303, 307, 308].map {
            redirect("\($0)", $0, to: "\(here)/echo/target")
        }
        let chain = (1...40).map {
            redirect("chain/\($0)", to: "\(here)/redirect/chain/\($0 - 1)")
        }
        return """
            absolute_redirect off;
            location = /redirect/chain/0 { default_type text/plain; return 200 'end of chain\n'; }

            """
                + (codes + chain).joined()
                + redirect("relative", to: "../echo/target")
                + redirect("rooted", to: "/echo/target")
                + redirect("loop", to: "\(here)/redirect/loop")
                + redirect("other-host", to: "$scheme://localhost:$server_port/echo/target")
                + redirect("to-https", to: "https://localhost:\(tlsPort)/echo/target")
                + redirect("to-http", to: "http://$arg_host/echo/target")
                + noLocation
    }
}
