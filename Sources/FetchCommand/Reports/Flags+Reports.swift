extension Flags {
    static let reports: [Flag] = [
        Flag(
            ["--write-out", "-w"],
            value: "FORMAT",
            kind: .data,
            background: .reportsLater,
            reads: .init { [$0.writeOut?.path] },
            help: "print FORMAT after each task, as in '%{http_code} %{time_total}\\n'",
            details: """
                FORMAT is curl's; @FILE and @- read it. It is printed on standard output \
                behind the body. As in curl, -w with `%{redirect_url}` follows redirects only \
                with -L, and so does -w with `%{http_code}` beside -o /dev/null. `%{NAME}` is one of: `certs`, `content_type`, `errormsg`, \
                `exitcode`, `filename_effective`, `ftp_entry_path`, `http_code`, \
                `http_connect`, `http_version`, `local_ip`, `local_port`, `method`, \
                `num_certs`, `num_connects`, `num_headers`, `num_redirects`, \
                `proxy_ssl_verify_result`, `redirect_url`, `referer`, `remote_ip`, \
                `remote_port`, `response_code`, `scheme`, `size_download`, `size_header`, \
                `size_request`, `size_upload`, `speed_download`, `speed_upload`, \
                `ssl_verify_result`, `time_appconnect`, `time_connect`, `time_namelookup`, \
                `time_pretransfer`, `time_redirect`, `time_starttransfer`, `time_total`, \
                `url`, `url_effective`, `urlnum`. Times are seconds from the start, those of \
                all requests that a task made; sizes are bytes, a speed bytes a second. \
                `%header{NAME}` is a field of the last response, `%{json}` an object of all \
                variables, `%{header_json}` one of all fields, with credentials as (redacted). \
                What follows `%{stderr}`, `%{stdout}`, `%output{FILE}` or `%output{>>FILE}` \
                goes there, and what follows `%{onerror}` is printed where the exit status of \
                the task is not 0. `%%` is a percent sign, and `\\n`, `\\r` and `\\t` are what \
                they are in C. `%{exitcode}` is the exit status of fetch, and not curl's; \
                users and passwords in URLs read (redacted). Nothing is printed where a signal \
                ends the run.
                """
        ) { $0.writeOut = try DataPiece($1, stripsLineEnds: true).source },
        Flag(
            ["--har"],
            value: "FILE",
            kind: .file,
            background: .reportsLater,
            help: "record requests and responses in FILE, in the HAR format",
            details: """
                The format is HAR 1.2, with one entry for each request. Redirects, refused \
                requests and failed ones are included; a failed one has the status 0 and its \
                reason under `_error`. Header fields are those that were sent. Credentials and \
                the values of cookies are shown as (redacted). For bodies, only the size is \
                recorded. FILE is replaced at the end of the run, also after a signal, and only \
                its owner can read it (mode 0600). A device or a FIFO is written to whenever a \
                task ends.
                """
        ) { options, value in
            guard case .path(let path) = try OutputName(value) else {
                throw value.invalid(
                    "is not a file",
                    hint: "/dev/stdout is standard output, and ./- a file of that name"
                )
            }
            options.har = path
        },
        Flag(
            ["--dump-header", "-D"],
            value: "FILE",
            kind: .file,
            background: .reportsLater,
            help: "write the headers of all responses to FILE as they arrive; - is standard output",
            details: """
                They are written byte for byte, cookies included. Headers of redirects, \
                challenges, interim responses and proxies are included, and so are trailers. \
                FILE is emptied first. To show headers to people, use -S.
                """
        ) { $0.dumpHeader = try OutputName($1) },
    ]
}
