import FetchCommand

/// The completion for zsh: an autoloaded function over `_arguments`.
struct ZshCompletion {
    let flags: [Flag]

    /// The complete file.
    var text: String {
        #"""
        #compdef fetch
        # zsh completion for fetch
        # \#(GeneratedFile.notice)

        # A text, or @ and a file.
        _fetch_data() {
            if compset -P '@'; then
                _files
            else
                _message -e data 'DATA, or @FILE'
            fi
        }

        # A name, and then as above.
        _fetch_form() {
            if compset -P 1 '*='; then
                _fetch_data
            else
                _message -e form 'NAME=VALUE, or NAME=@FILE'
            fi
        }

        # What goes on behind the word that is completed.
        _fetch_beginning() {
            compadd -S '' "$@"
        }

        _fetch() {
            local -a flags=(
        \#(flags.flatMap(specifications).map { "        " + $0 }.joined(separator: "\n"))
            )
            _arguments -s -S : $flags \
                \#(ShellWord.posix("*" + Self.argument("URL", FlagValueKind.url)))
        }

        _fetch "$@"

        """#
    }

    /// A flag's arguments for `_arguments`, one for each spelling.
    ///
    /// Once a spelling is used, zsh no longer offers the flag's other spellings and excluded flags.
    private func specifications(of flag: Flag) -> [String] {
        let others = (flag.repeats ? [] : flag.names) + flags.excluded(by: flag).flatMap(\.names)
        let exclusion =
            (others.isEmpty ? "" : "(" + others.joined(separator: " ") + ")")
            + (flag.repeats ? "*" : "")
        return flag.names.map { name in
            var specification = exclusion + name
            if flag.placeholder != nil { specification += name.hasPrefix("--") ? "=" : "+" }
            specification += "[" + Self.escaped(flag.help, "[]:") + "]"
            if let placeholder = flag.placeholder {
                specification += Self.argument(placeholder, flag.kind)
            }
            return ShellWord.posix(specification)
        }
    }

    /// The placeholder of a value, and the action that completes the value.
    private static func argument(_ placeholder: String, _ kind: FlagValueKind) -> String {
        ":" + escaped(placeholder, ":") + ":" + action(kind)
    }

    private static func action(_ kind: FlagValueKind) -> String {
        switch kind {
        case .text, .number, .seconds, .byteSize: " "
        case .file: "_files"
        case .directory: "_path_files -/"
        case .data: "_fetch_data"
        case .formField: "_fetch_form"
        case .choice(let words), .suggestion(let words):
            "(" + words.map { escaped($0, ":() ") }.joined(separator: " ") + ")"
        case .beginning(let words):
            (["_fetch_beginning"] + words.map { escaped($0, ":") }).joined(separator: " ")
        }
    }

    /// The text with a backslash before each of these characters, and before each backslash.
    private static func escaped(_ text: String, _ signs: String) -> String {
        text.map { signs.contains($0) || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
    }
}
