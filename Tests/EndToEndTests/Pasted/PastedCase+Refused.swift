extension PastedCase {
    /// Lines that fetch refuses, and that say what to write.
    static let curlRefusals = [
        PastedCase(#"curl -b 'k=v' URL/json"#, .refused("--cookie")),
        PastedCase(#"curl -b cookies.txt URL/json"#, .refused("--load-cookies")),
        PastedCase(#"curl -s -b cookies.txt URL/json"#, .refused("--load-cookies")),
        PastedCase(#"curl -sbk=v URL/json"#, .refused("--cookie")),
        PastedCase(#"curl -c jar URL/json"#, .refused("--save-cookies")),
        PastedCase(#"curl -c jar -b jar URL/json"#, .refused("--save-cookies")),
        PastedCase(#"curl -sLc jar.txt URL/json"#, .refused("--save-cookies")),
        PastedCase(#"curl -K flags.txt URL/json"#, .refused("--config")),
        PastedCase(#"curl -s URL/a.txt --next -d x URL/echo"#, .refused("once for each")),
        PastedCase(#"curl -p URL/json"#, .refused("--proxytunnel")),
        PastedCase(#"curl --hsts hsts.txt -s URL/json"#, .refused("--hsts-file")),
        PastedCase(#"curl --http3 URL/json"#, .refused("libcurl")),
        PastedCase(#"curl --libcurl x.c URL/json"#, .refused("source code")),
        PastedCase(#"curl -E cert.pem URL/json"#, .refused("--certificate")),
        PastedCase(#"curl -H -s URL/json"#, .refused("=-")),
        PastedCase(#"curl -o -L URL/json"#, .refused("--output=-L")),
        PastedCase(#"curl -U user:pass -x 127.0.0.1:1 URL/json"#, .refused("--proxy-user")),
        PastedCase(#"curl --dns-servers 1.1.1.1 URL/json"#, .refused("c-ares")),
        PastedCase(#"curl --trace-ascii - URL/json"#, .refused("--verbose")),
        PastedCase(#"curl ftp://HOST/x"#, .refused("http, https")),
        PastedCase(#"curl --ftp-pasv URL/json"#, .refused("FTP")),
        PastedCase(
            #"curl -s --upload-file have.txt URL/u1 --upload-file have.txt URL/u2"#,
            .refused("run fetch once for each")
        ),
        PastedCase(
            #"curl -s --upload-file have.txt -o o1 URL/u1 -o o2 URL/u2"#,
            .refused("run fetch once for each")
        ),
    ]
}
