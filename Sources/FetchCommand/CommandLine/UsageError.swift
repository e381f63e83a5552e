/// A command line that cannot be carried out: nothing was sent.
///
/// No case contains a secret: header values are never included, and URLs are redacted by the code
/// that throws.
enum UsageError: Error, Equatable {
    /// An unknown flag, with the declared flags whose spelling is similar.
    case unknownFlag(String, near: [String])
    /// A flag of wget or curl that has no meaning here, or two meanings.
    case foreignFlag(flag: String, reason: String, hint: String)
    case missingValue(flag: String, placeholder: String)
    /// A value that looks like a flag; `value` is `nil` if it may contain a secret.
    case dashedValue(flag: String, value: String?, hint: String?, form: String)
    /// A value for a switch, as in `--quiet=yes`.
    case unexpectedValue(flag: String)
    /// A value that the flag does not accept; `value` is `nil` if it may contain a secret.
    case invalidValue(flag: String, value: String? = nil, reason: String, hint: String? = nil)
    /// A flag without the flag that it belongs to, or without the place where it applies.
    case unusable(flag: String, reason: String, hint: String? = nil)
    /// Two flags, or a flag and the URLs, that cannot be combined.
    case conflict(String, String, reason: String)
    /// An argument that is not UTF-8; the position counts from 1.
    case notUTF8(position: Int)
    case missingURL(hint: String)
    /// An argument that is not an HTTP URL; the `url` is redacted and printable.
    case invalidURL(String, reason: String, hint: String? = nil)
    /// A configuration file's line that has more than a flag and its value.
    case excessWords(flag: String)
    case configurationFile(path: String, reason: String, hint: String?)
    /// A line of a configuration file, counted from 1; the message contains no secret.
    case configurationLine(path: String, line: Int, message: String, hint: String?)
    /// An invalid proxy in the environment; without its value, which may hold a secret.
    case invalidProxy(String)
    /// A file to send, to read or to trust that cannot be used; the reason quotes no content.
    case file(path: String, String)
}

extension UsageError {
    /// The error of a flag's declaration, whose closure has no type of errors.
    init(_ error: any Error, of flag: String) {
        self = error as? UsageError ?? .invalidValue(flag: flag, reason: "\(error)")
    }

    /// The error message, without the program's name and a full stop.
    var message: String {
        switch self {
        case .unknownFlag(let flag, _):
            "unknown option \(Printable.text(flag))"
        case .foreignFlag(let flag, let reason, _):
            "\(Printable.text(flag)): \(reason)"
        case .missingValue(let flag, let placeholder):
            "\(flag): missing value (\(flag) \(placeholder))"
        case .dashedValue(let flag, let value, _, _):
            "\(flag): expected a value, but "
                + (value.map { "'\(Printable.text($0))' looks like" }
                    ?? "the next argument looks like")
                + " a flag"
        case .unexpectedValue(let flag):
            "\(flag) takes no value"
        case .invalidValue(let flag, let value?, let reason, _):
            "\(flag): '\(Printable.text(value))' \(reason)"
        case .invalidValue(let flag, nil, let reason, _), .unusable(let flag, let reason, _):
            "\(flag): \(reason)"
        case .conflict(let one, let other, let reason):
            "\(one) and \(other) cannot be combined: \(reason)"
        case .notUTF8(let position):
            "argument \(position) is not UTF-8"
        case .missingURL:
            "missing URL"
        case .invalidURL(let url, let reason, _):
            "'\(Printable.text(url))': \(reason)"
        case .excessWords(let flag):
            "too many words after \(flag)"
        case .configurationFile(let path, let reason, _):
            "\(Printable.text(path)) \(reason)"
        case .configurationLine(let path, let line, let message, _):
            "\(Printable.text(path)):\(line): \(message)"
        case .invalidProxy(let reason):
            reason
        case .file(let path, let reason):
            "\(Printable.text(path)): \(reason)"
        }
    }

    var exitStatus: ExitStatus {
        if case .file = self { .fileIO } else { .usage }
    }

    var hint: String? {
        switch self {
        case .unknownFlag(_, let near):
            near.isEmpty
                ? "'fetch --help' lists the options"
                : "did you mean \(near.joined(separator: ", "))?"
        case .foreignFlag(_, _, let hint), .missingURL(let hint):
            hint
        case .invalidValue(_, _, _, let hint), .unusable(_, _, let hint),
            .invalidURL(_, _, let hint),
            .configurationFile(_, _, let hint), .configurationLine(_, _, _, let hint):
            hint
        case .dashedValue(_, _, let hint, let form):
            "to use it as a value, write \(Printable.text(form))" + (hint.map { "; \($0)" } ?? "")
        case .notUTF8:
            "binary data is sent with --data-binary @FILE; a file may be standard input or output"
        case .invalidProxy:
            "use --no-proxy, or --proxy URL"
        case .excessWords:
            "write one flag on a line, followed by a blank and its value"
        case .missingValue, .unexpectedValue, .conflict, .file:
            nil
        }
    }
}

/// The value of an expression, whose error is converted.
func mapError<Value, Failure: Error, Converted: Error>(
    _ value: @autoclosure () throws(Failure) -> Value,
    _ convert: (Failure) -> Converted
) throws(Converted) -> Value {
    do throws(Failure) {
        return try value()
    } catch {
        throw convert(error)
    }
}
