extension Nginx {
    /// The locations below `/cookies/`, and `/hsts/`.
    static let cookies: String = {
        func location(_ path: String, _ header: String, _ status: String = "200") -> String {
            "location ~ ^\(path)$ { add_header \(header); return \(status); }\n"
        }
        let pair = "/(?<jar_name>[^/]+)/(?<jar_value>[^/]+)"
        let cookie = "Set-Cookie '$jar_name=$jar_value; Path=/"
        return location("/cookies/set\(pair)", cookie + "; Max-Age=3600'")
            + location("/cookies/session\(pair)", cookie + "'")
            + location(
                "/cookies/delete/(?<jar_name>[^/]+)",
                "Set-Cookie '$jar_name=; Path=/; Max-Age=0'"
            )
            + location("/cookies/redirect\(pair)", cookie + "'", "302 /echo/target")
            + location("/hsts/(?<hsts_age>[0-9]+)", "Strict-Transport-Security 'max-age=$hsts_age'")
    }()
}
