import TestSupport

/// Runs commands with the programs of an image of Debian, and those that the commands install.
///
/// The programs are this machine's. They come from its essential packages, which every image has.
struct BareImage {
    let stage: RecipeStage
    /// The packages that the image has besides the essential ones.
    let packages: [String]
    /// Whether the image has fetch.
    let hasFetch: Bool

    init(_ packages: [String] = [], hasFetch: Bool = false) throws {
        stage = try RecipeStage()
        self.packages = packages
        self.hasFetch = hasFetch
    }

    /// All packages that the image has, or that the commands have installed.
    var installed: [String] {
        (stage.home.readText("packages") ?? "").split(separator: "\n").map(String.init)
    }

    /// Runs commands as a script that stops at the first error.
    func run(
        _ commands: [String],
        environment: [String: String] = [:]
    ) async throws -> ProcessResult {
        try await stage.run(
            """
            mkdir "$HOME/image"
            cat >"$HOME/image/apt-get" <<'END'
            \(Self.installer)
            END
            chmod +x "$HOME/image/apt-get"
            essential=$(dpkg-query -W -f '${Essential} ${Package}\\n' | sed -n 's/^yes //p')
            "$HOME/image/apt-get" update
            "$HOME/image/apt-get" install $essential \(packages.joined(separator: " "))
            rm "$HOME/updated"
            \(hasFetch ? #"ln -s "$FETCH" "$HOME/image/fetch""# : "")
            PATH=$HOME/image
            \(commands.joined(separator: "\n"))
            """,
            environment: environment
        )
    }

    /// A program in place of `apt-get`, which links the programs of this machine's packages.
    ///
    /// Images have no lists of packages, so an update has to come first.
    private static let installer = #"""
        #!/bin/sh
        set -e
        if [ "$1" = update ]; then
            touch "$HOME/updated"
            exit
        fi
        [ "$1" = install ]
        [ -e "$HOME/updated" ]
        shift
        for word; do
            case $word in
                -*) ;;
                *) echo "$word" >>"$HOME/packages" ;;
            esac
        done
        files=$(dpkg-query -L $(cat "$HOME/packages"))
        echo "$files" | grep -E '^(/usr)?/s?bin/[^/]+$' | xargs ln -sft "$HOME/image"
        """#
}
