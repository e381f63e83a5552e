import FetchCommand

struct FishCompletion {
    let flags: [Flag]

    /// The complete script.
    var text: String {
        #"""
        # fish completion for fetch
        # \#(GeneratedFile.notice)

        # The beginning of a word of letters that take no value, for a regular expression.
        set -g __fetch_switches \#(ShellWord.fish(switches))

        \#(Self.functions)
        # What is no flag is a URL.
        complete -c fetch \#(Self.value(.url).joined(separator: " ")) -d URL

        \#(flags.map(command).joined(separator: "\n"))

        """#
    }

    private var switches: String {
        let letters = String(flags.filter { $0.placeholder == nil }.flatMap(\.letters))
        return letters.isEmpty ? "^-" : "^-[\(letters)]*"
    }

    private static let functions = #"""
        # Whether none of a flag's names, and of those it excludes, is on the line. With --value its own names are
        # before a --, and it is none either if one of these is the last word, and waits for what is being typed.
        function __fetch_is_unused
            set -l words (commandline -opc)[2..]
            set -q words[1]; or return 0
            # Each Tab calls this for every flag: the names on a line are read once.
            set -l line (string escape -- $words | string join ' ')
            if test "$line" != "$__fetch_line"
                set -g __fetch_line $line
                set -g __fetch_given (string replace -r -- '^(--[^=]*)=.*' '$1' $words)
                for letters in (string match -r -- $__fetch_switches'[^-]?' $words | string sub -s 2)
                    set -a __fetch_given -(string split '' -- $letters)
                end
                set -g __fetch_last (string replace -r -- "$__fetch_switches(?=.\$)" - $words[-1])
            end
            if test "$argv[1]" = --value
                set -e argv[1]
                set -l own $argv
                if set -l bar (contains -i -- -- $argv)
                    set -e own[$bar..-1]
                    set -e argv[$bar]
                end
                contains -- $__fetch_last $own; and return 0
            end
            for name in $argv
                contains -- $name $__fetch_given; and return 1
            end
            return 0
        end

        # The files that fit behind the @ of the word under the cursor, with what is before them.
        function __fetch_files_after_at
            set -l word (commandline -ct | string unescape; or commandline -ct)
            set -l value (string replace -r '^(--[^=]*=|-[^-@=])' '' -- $word)
            set -l parts (string match -r -- '^((?:[^=@]*=)?@)(.*)$' $value)
            and __fish_complete_path $parts[3] | string replace -r -- '^' $parts[2]
        end

        """#

    /// One line for a flag, with all its spellings.
    private func command(_ flag: Flag) -> String {
        let isSwitch = flag.placeholder == nil
        var words = ["complete", "-c", "fetch"]
        // The flag is offered unless one of these is on the command line.
        let own = flag.repeats ? [] : flag.names
        let excluded = flags.excluded(by: flag).flatMap(\.names)
        if !own.isEmpty || !excluded.isEmpty {
            let others =
                isSwitch
                ? own + excluded
                : ["--value"] + own + (excluded.isEmpty ? [] : ["--"]) + excluded
            let condition = ["__fetch_is_unused"] + others
            words += ["-n", ShellWord.fish(condition.joined(separator: " "))]
        }
        words += flag.letters.flatMap { ["-s", "\($0)"] }
        words += flag.singleDashNames.flatMap { ["-o", $0] }
        words += flag.longNames.flatMap { ["-l", $0] }
        if !isSwitch { words += Self.value(flag.kind) }
        return (words + ["-d", ShellWord.fish(flag.help)]).joined(separator: " ")
    }

    /// The options of `complete` that describe a value.
    private static func value(_ kind: FlagValueKind) -> [String] {
        switch kind {
        case .text, .number, .seconds, .byteSize: ["-x"]
        case .file: ["-r", "-F"]
        case .directory: ["-x", "-a", "'(__fish_complete_directories)'"]
        case .data, .formField: ["-x", "-a", "'(__fetch_files_after_at)'"]
        case .choice(let words), .suggestion(let words), .beginning(let words):
            ["-x", "-a", ShellWord.fish(words.joined(separator: " "))]
        }
    }
}
