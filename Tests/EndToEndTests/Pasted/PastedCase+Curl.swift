extension PastedCase {
    /// Lines with curl from Dockerfiles, CI files and READMEs.
    static let curl: [PastedCase] =
        installers + archives + interfaces + checks + wire + curlRefusals

    private static let installers = [
        PastedCase(#"curl -fsSL URL/install.sh | sh"#),
        PastedCase(#"curl -sSL URL/install.sh | bash"#),
        PastedCase(#"curl -fsSL URL/install.sh | sh -s -- -b /usr/local/bin v1.2"#),
        PastedCase(#"curl -sSfL URL/redirect/install.sh | sh"#),
        PastedCase(#"curl -L URL/install.sh | sh"#),
        PastedCase(#"curl -s URL/install.sh | sh -"#),
        PastedCase(#"curl --proto '=http,https' --tlsv1.2 -sSf URL/install.sh | sh -s -- -y"#),
        PastedCase(#"curl --proto '=https,http' --proto-redir '=http' -LsSf URL/install.sh | sh"#),
        PastedCase(#"curl --fail --silent --show-error --location URL/install.sh | sh"#),
        PastedCase(#"curl -fsSL URL/install.sh -o install.sh && sh install.sh --yes"#),
        PastedCase(#"curl -sSLo install.sh URL/install.sh && sh ./install.sh"#),
        PastedCase(#"curl -sfL URL/install.sh | INSTALL_K3S_EXEC=server sh -"#),
        PastedCase(#"curl -sL URL/install.sh | sh -s"#),
        PastedCase(#"curl -f -s -S -L URL/install.sh | sh"#),
        PastedCase(#"curl -fsSL URL/status/404 | sh"#),
        PastedCase(
            #"curl -sSL URL/status/404 | cat"#,
            .better("an error status is an error without -f too", exit: 0)
        ),
        PastedCase(#"curl URL/install.sh | sh"#, .warned(" -> ")),
    ]

    private static let archives = [
        PastedCase(#"curl -fsSL URL/v1/tool.tar.gz | tar xz"#),
        PastedCase(#"curl -sL URL/v1/tool.tar.gz | tar -xz --strip-components=1"#),
        PastedCase(#"curl -L URL/v1/tool.tar.gz | tar zx -C ."#),
        PastedCase(#"curl -LO URL/v1/tool.tar.gz"#),
        PastedCase(#"curl -fsSLO URL/v1/tool.tar.gz"#),
        PastedCase(#"curl -OL URL/v1/tool.tgz && tar xzf tool.tgz"#),
        PastedCase(#"curl -O URL/v1/tool.tgz"#),
        PastedCase(#"curl URL/v1/tool.tgz -O"#),
        PastedCase(#"curl -O -L URL/v1/tool.tgz"#),
        PastedCase(#"curl -L -O --retry 3 URL/v1/tool.tgz"#),
        PastedCase(#"curl --remote-name --location URL/v1/tool.tgz"#),
        PastedCase(#"curl -sSOL URL/v1/tool.tgz"#),
        PastedCase(#"curl -OJL URL/download"#),
        PastedCase(#"curl -sSOJL URL/download"#),
        PastedCase(#"curl -LJO URL/named"#),
        PastedCase(#"curl -L --remote-header-name --remote-name URL/named"#),
        PastedCase(#"curl -fsSL URL/redirect/v1/tool.tgz -o tool.tgz"#),
        PastedCase(#"curl -fL -o have.txt URL/new.txt"#),
        PastedCase(#"curl -s --no-clobber -o have.txt URL/new.txt"#),
        PastedCase(#"curl --output tool.bin --location URL/tool"#),
        PastedCase(#"curl -Lo ./kind URL/kind-linux-amd64 && chmod +x ./kind"#),
        PastedCase(#"curl -LO "URL/release/v1.30/bin/linux/amd64/kubectl""#),
        PastedCase(#"curl --create-dirs -fsSLo keys/apt/docker.asc URL/linux/gpg"#),
        PastedCase(#"curl --create-dirs -o a/b/c.txt URL/c.txt"#),
        PastedCase(#"curl --output-dir out --create-dirs -O URL/x.txt"#),
        PastedCase(#"curl -fsSL --output-dir . -o d.txt URL/d.txt"#),
        PastedCase(#"curl -O URL/a.txt -O URL/b.txt"#),
        PastedCase(#"curl -o 1.txt URL/a.txt -o 2.txt URL/b.txt"#),
        PastedCase(#"curl --remote-name-all URL/a.txt URL/b.txt"#),
        PastedCase(#"curl -O 'URL/{a,b}.txt'"#),
        PastedCase(#"curl -O4L URL/a.txt"#),
        PastedCase(#"curl -s -C 5 -o half URL/letters"#, .refused("--continue")),
        PastedCase(#"curl -sO 'URL/file[01-03].txt'"#),
        PastedCase(#"curl -s 'URL/[a-c].txt'"#),
        PastedCase(#"curl -s 'URL/n[0-10:5].txt'"#),
        PastedCase(#"curl 'URL/{one,two}/[1-2]' -o 'out_#1_#2.txt'"#),
        PastedCase(#"curl -g -s 'URL/json?f[a]=1' -o g.txt"#, .sameResponse),
        PastedCase(#"curl -Z -O URL/a.txt -O URL/b.txt"#),
        PastedCase(#"curl -C - -O URL/letters"#),
        PastedCase(#"curl -C - -o half URL/letters"#, .sameResponse),
        PastedCase(#"curl -L -C - -o new URL/letters"#),
        PastedCase(#"curl -s -C 20 URL/letters"#),
        PastedCase(#"curl -s -r 0-4 URL/letters"#),
        PastedCase(#"curl -r -3 -s URL/letters"#),
        PastedCase(#"curl -# -L -o p.txt URL/p.txt"#),
        PastedCase(#"curl --progress-bar -fLo p.txt URL/p.txt"#),
        PastedCase(#"curl --no-progress-meter -o p.txt URL/p.txt"#),
        PastedCase(#"curl -R -O URL/dated"#),
        PastedCase(#"curl -fsSL URL/status/404 -o never.txt"#),
        PastedCase(
            #"curl -sSL URL/status/404 -o never.txt"#,
            .better("an error status is an error without -f too", exit: 8)
        ),
        PastedCase(
            #"curl -sLO URL/status/410"#,
            .better("an error status is an error without -f too", exit: 8)
        ),
        PastedCase(
            #"curl -s URL/redirect/a.txt"#,
            .better("redirects are followed without -L too", exit: 0)
        ),
        PastedCase(#"curl -O URL/a.txt URL/b.txt"#, .refused("--remote-name-all")),
        PastedCase(#"curl URL/a.txt > a.out"#, .warned(" -> ")),
    ]

    private static let interfaces = [
        PastedCase(#"curl -s URL/json | grep tag_name"#),
        PastedCase(#"curl -s URL/json | sed -n 's/.*\(v[0-9.]*\).*/\1/p'"#),
        PastedCase(#"curl -sL URL/json > latest.json"#),
        PastedCase(#"curl -sS -H 'X-A: b' URL/echo"#),
        PastedCase(#"curl -s -H 'X-A: b' -H 'X-B: c' URL/echo"#),
        PastedCase(#"curl -X POST -d 'a=1' URL/echo"#),
        PastedCase(#"curl -d 'a=1' -d 'b=2' URL/echo"#),
        PastedCase(#"curl -X POST -H 'Content-Type: application/json' -d '{"a": 1}' URL/echo"#),
        PastedCase(
            #"curl -s -X POST -H 'Content-Type: application/json' --data @data.json URL/echo"#
        ),
        PastedCase(
            #"curl -X POST URL/echo -H 'Content-Type: application/json' --data-binary @data.json"#
        ),
        PastedCase(#"curl -XPOST URL/echo -d @data.json"#),
        PastedCase(#"curl -XPUT URL/echo -d '{}'"#),
        PastedCase(#"curl -X PATCH --data-raw '@x' URL/echo"#),
        PastedCase(#"curl --data-ascii 'x=y' URL/echo"#),
        PastedCase(#"curl --data-urlencode 'q=a b&c' URL/echo"#),
        PastedCase(#"curl --data-urlencode 'name@name.txt' URL/echo"#),
        PastedCase(#"curl --data-urlencode '=x y' URL/echo"#),
        PastedCase(#"curl -G -d 'a=1' --data-urlencode 'b=c d' URL/echo"#),
        PastedCase(#"curl -sG URL/echo --data-urlencode 'query=rate up' -d time=1"#),
        PastedCase(#"curl --get --data 'x=1' 'URL/echo?y=2'"#),
        PastedCase(#"curl -s --url-query 'q=a b' URL/echo"#),
        PastedCase(#"curl --json '{"a": 1}' URL/echo"#),
        PastedCase(#"curl --json @data.json URL/echo"#),
        PastedCase(#"curl -s -d @- URL/echo < data.json"#),
        PastedCase(#"curl -X DELETE URL/echo"#),
        PastedCase(#"curl -X DELETE -s URL/empty"#),
        PastedCase(#"curl -X OPTIONS URL/echo"#),
        PastedCase(#"curl -s -X POST URL/echo"#),
        PastedCase(#"curl -F 'a=b' -F 'f=@upload.bin' URL/echo"#),
        PastedCase(#"curl -s -F 'f=@upload.bin;type=text/plain;filename=x.txt' URL/echo"#),
        PastedCase(#"curl -F 'a=<name.txt' --form-string 'b=@c' URL/echo"#),
        PastedCase(#"curl --upload-file upload.bin URL/echo"#),
        PastedCase(#"curl -T upload.bin URL/echo"#, .refused("--upload-file")),
        PastedCase(#"curl -sL -e 'URL/json;auto' URL/json"#, .refused("--referer URL")),
        PastedCase(#"curl -u user:pass --basic -s URL/private"#),
        PastedCase(#"curl -s -u user:pass URL/echo"#),
        PastedCase(#"curl -s -u user:pass URL/private"#, .sameResponse),
        PastedCase(#"curl -fsS --user user:pass URL/private"#, .sameResponse),
        PastedCase(#"curl -sn URL/private"#, .sameResponse),
        PastedCase(#"curl -s --netrc URL/private"#, .sameResponse),
        PastedCase(#"curl -s --netrc-optional URL/private"#, .sameResponse),
        PastedCase(#"curl -s -H 'Authorization: Bearer token' URL/echo"#),
        PastedCase(#"curl -s --oauth2-bearer token URL/echo"#),
        PastedCase(#"curl -s -A 'Mozilla/5.0 (X11)' URL/echo"#),
        PastedCase(#"curl -s -e URL/from URL/echo"#),
        PastedCase(#"curl -s --cookie 'a=1; b=2' URL/echo"#),
        PastedCase(#"curl -s --compressed URL/json"#),
        PastedCase(#"curl -sN URL/json"#),
        PastedCase(#"curl -s --no-buffer URL/json"#),
        PastedCase(#"curl -s -m 10 --connect-timeout 5 URL/json"#),
        PastedCase(#"curl --max-time 10 -s --url URL/json"#),
        PastedCase(#"curl -s -L --max-redirs 3 URL/redirect/json"#),
        PastedCase(#"curl -s -4 --noproxy '*' URL/json"#),
        PastedCase(#"curl -s -x '' URL/json"#),
        PastedCase(#"curl -s -0 URL/json"#),
        PastedCase(#"curl -s --http1.1 URL/json"#),
        PastedCase(#"curl -s --resolve x.example:PORT:HOST http://x.example:PORT/json"#),
        PastedCase(#"curl -s --connect-to x.example:PORT:HOST:PORT http://x.example:PORT/json"#),
        PastedCase(#"curl -s --interface 127.0.0.1 URL/json"#),
        PastedCase(#"curl -s --limit-rate 10M URL/json"#),
        PastedCase(#"curl -s -z 20260101 URL/dated"#),
        PastedCase(
            #"curl -s -z 2026-01-01 URL/dated"#,
            .better("a date that curl passes over counts", exit: 0)
        ),
        PastedCase(#"curl -s -z 20200101 URL/json"#),
        PastedCase(#"curl -z have.txt -o have.txt URL/dated"#, .sameResponse),
        PastedCase(#"curl -s --location-trusted -u user:pass URL/redirect/private"#),
        PastedCase(
            #"curl -sSX POST URL/status/400 -d x"#,
            .better("an error status is an error without -f too", exit: 8)
        ),
        PastedCase(#"curl -s --fail-with-body URL/status/400"#),
        PastedCase(#"curl -s -k URL/json"#),
        PastedCase(#"curl -s --insecure --tlsv1.2 URL/json"#),
        PastedCase(#"curl -s --stderr /dev/null URL/json"#),
        PastedCase(#"curl -s -D head.out -o body.out URL/json"#),
        PastedCase(#"curl -sS --stderr - URL/json"#),
    ]

    private static let checks = [
        PastedCase(#"curl -f URL/json"#),
        PastedCase(#"curl -fs URL/json > /dev/null"#),
        PastedCase(#"curl --fail URL/status/501"#),
        PastedCase(#"curl -fsS URL/json -o /dev/null"#),
        PastedCase(#"curl -sf -o /dev/null URL/json && echo up"#),
        PastedCase(#"curl -s -o /dev/null -w '%{http_code}' URL/json"#),
        PastedCase(#"curl -sL -w '%{http_code}\n' URL/json -o /dev/null"#),
        PastedCase(
            #"curl -s -o /dev/null -w '%{http_code} %{size_download} %{content_type}\n' URL/json"#
        ),
        PastedCase(
            #"curl -s -o /dev/null -w '%{http_code}' URL/status/404"#,
            .better("an error status is an error without -f too", exit: 8)
        ),
        PastedCase(#"curl -I URL/json"#),
        PastedCase(#"curl -sI URL/json"#),
        PastedCase(#"curl -sIL URL/json"#),
        PastedCase(#"curl --head --silent URL/json | head -n 1"#),
        PastedCase(#"curl --retry 2 --retry-connrefused -fsS URL/json"#),
        PastedCase(
            #"curl --retry 3 -s URL/flaky"#,
            .better("what is tried again is written once", exit: 0)
        ),
        PastedCase(#"curl --retry 2 --retry-delay 1 --retry-max-time 5 -fsS URL/json"#),
        PastedCase(#"curl -fsS --speed-limit 10 --speed-time 5 URL/json"#),
        PastedCase(#"curl -s -o /dev/null -w '%{redirect_url}' URL/redirect/json"#),
        PastedCase(#"curl -i URL/json"#),
        PastedCase(#"curl -siX POST -d x URL/echo"#),
        PastedCase(#"curl -si URL/json"#),
        PastedCase(#"curl -is -X POST -d x URL/echo"#),
        PastedCase(#"curl -i -H 'X-A: b' URL/echo"#),
        PastedCase(#"curl -sSi -L URL/redirect/json"#),
        PastedCase(#"curl -iO URL/json"#, .refused("--dump-header")),
        PastedCase(#"curl -fsS --retry 2 --retry-all-errors -o f.txt URL/flaky"#),
        PastedCase(#"curl -fsS --retry 0 URL/status/503"#),
    ]

    /// The form of requests and responses on the wire.
    private static let wire = [
        PastedCase(#"curl -s --path-as-is URL/a/../b/./c.txt"#),
        PastedCase(#"curl -s --path-as-is 'URL/../../etc/passwd'"#),
        PastedCase(#"curl -s URL/a/../b/./c.txt"#),
        PastedCase(#"curl -s -X OPTIONS --request-target '*' URL"#),
        PastedCase(#"curl -s --request-target /other?q URL/json"#),
        PastedCase(#"curl -s --request-target 'a b' URL/json"#, .refused("not a request target")),
        PastedCase(
            #"curl -sL --max-redirs 3 --request-target /redirect/json URL/x"#,
            .better("the redirect is asked for its own target", exit: 0)
        ),
        PastedCase(#"curl -sL --post302 -d a=1 URL/redirect/echo"#),
        PastedCase(#"curl -sL --post301 --post303 -d a=1 URL/redirect/echo"#),
        PastedCase(#"curl -s --tr-encoding URL/packed"#, .refused("accepts an incomplete one")),
        PastedCase(#"curl -s --raw URL/packed"#),
        PastedCase(#"curl -s --raw URL/chunked"#),
        PastedCase(#"curl -s --raw -o chunks.out URL/chunked"#),
        PastedCase(#"curl -s --raw --compressed URL/chunked"#, .refused("Accept-Encoding")),
        PastedCase(#"curl -s --raw -r 0-3 URL/letters"#, .refused("--range")),
        PastedCase(#"curl -s --noproxy '' --proxytunnel -x URL http://x.example/json"#),
        PastedCase(#"curl -s --noproxy '' -p -x URL http://x.example/json"#),
        PastedCase(#"curl -sx URL --noproxy '' -p -d a=1 http://x.example/echo"#),
        PastedCase(#"curl -s --proxytunnel URL/json"#),
        PastedCase(#"curl -s -C 3 --upload-file data.json URL/echo"#),
        PastedCase(#"curl -s --upload-file upload.bin --continue-at 0 URL/echo"#),
        PastedCase(#"curl -s -X POST -C 2 --upload-file upload.bin URL/echo"#),
        PastedCase(#"curl -s -C 100 --upload-file data.json URL/echo"#),
        PastedCase(
            #"curl -s -C 2 --upload-file - URL/echo < data.json"#,
            .refused("use a file")
        ),
        PastedCase(#"curl -s --etag-save t.etag -o tagged URL/letters"#),
        PastedCase(#"curl -s --etag-compare tag.txt --etag-save tag.txt -o have.txt URL/letters"#),
        PastedCase(#"curl -s --etag-compare tag.txt URL/letters"#),
        PastedCase(
            #"curl -s --etag-compare no.txt --etag-save no.txt -O URL/letters"#,
            .sameResponse
        ),
        PastedCase(#"curl -s --etag-compare no.txt URL/letters"#),
        PastedCase(#"curl -s --etag-save tag.txt URL/json"#),
        PastedCase(#"curl -sL --etag-save t.etag URL/redirect/letters"#),
        PastedCase(
            #"curl -sf --etag-save t.etag URL/status/404"#,
            .better("no empty file", exit: 8)
        ),
        PastedCase(
            #"curl -s --etag-compare data.json -O URL/letters"#,
            .better("what is no tag is not sent", exit: 3)
        ),
    ]
}
