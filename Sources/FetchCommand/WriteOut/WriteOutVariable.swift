/// The variables of `--write-out`, with curl's names, in the order of `%{json}`.
enum WriteOutVariable: String, CaseIterable, Sendable {
    case certs
    case contentType = "content_type"
    case errorMessage = "errormsg"
    case exitCode = "exitcode"
    case fileName = "filename_effective"
    case ftpEntryPath = "ftp_entry_path"
    case httpCode = "http_code"
    case connectCode = "http_connect"
    case httpVersion = "http_version"
    case localAddress = "local_ip"
    case localPort = "local_port"
    case method
    case certificateCount = "num_certs"
    case connectionCount = "num_connects"
    case headerCount = "num_headers"
    case redirectCount = "num_redirects"
    case proxyVerdict = "proxy_ssl_verify_result"
    case redirectURL = "redirect_url"
    case referer
    case remoteAddress = "remote_ip"
    case remotePort = "remote_port"
    case responseCode = "response_code"
    case scheme
    case downloadSize = "size_download"
    case headerSize = "size_header"
    case requestSize = "size_request"
    case uploadSize = "size_upload"
    case downloadSpeed = "speed_download"
    case uploadSpeed = "speed_upload"
    case verdict = "ssl_verify_result"
    case secureConnectTime = "time_appconnect"
    case connectTime = "time_connect"
    case nameLookupTime = "time_namelookup"
    case requestTime = "time_pretransfer"
    case redirectTime = "time_redirect"
    case firstByteTime = "time_starttransfer"
    case totalTime = "time_total"
    case url
    case effectiveURL = "url_effective"
    case urlNumber = "urlnum"
}
