import TestSupport
import Testing

/// Runs the steps of the examples for CI systems, and checks the Dockerfiles.
@Suite(.timeLimit(.minutes(1))) struct ContinuousIntegrationTests {
    /// An example, with the line that names its image and the packages that the image has.
    struct Example: Sendable, CustomTestStringConvertible {
        let file: String
        let line: String
        let packages: [String]

        init(_ name: String, _ line: String, _ packages: [String] = []) {
            file = "contrib/ci/\(name).yml"
            self.line = line
            self.packages = packages
        }

        var testDescription: String { file }
    }

    /// The image that a Dockerfile of `contrib/docker` makes.
    private static let image = "registry.example.org/fetch:1.1.0"
    private static let examples = [
        Example("github-actions", "    runs-on: ubuntu-24.04", ["ca-certificates", "curl"]),
        Example("gitlab-ci", "  image: debian:12"),
        Example("woodpecker", "    image: \(image)", ["ca-certificates"]),
    ]

    /// The commands of a file in the form of these examples: lists below a word of `words`, and blocks
    /// after `run: |`.
    private static func commands(in text: String) -> [String] {
        let words: Set<Substring> = ["script:", "before_script:", "commands:"]
        var commands: [String] = []
        var depth: Int?
        var isBlock = false
        for line in text.split(separator: "\n") {
            let indent = line.prefix { $0 == " " }.count
            let word = line.dropFirst(indent)
            if let inside = depth, indent > inside {
                if isBlock {
                    commands.append(String(word))
                } else if word.hasPrefix("- ") {
                    commands.append(String(word.dropFirst(2)))
                }
                continue
            }
            depth = nil
            if words.contains(word) { (depth, isBlock) = (indent, false) }
            if word == "run: |" { (depth, isBlock) = (indent, true) }
        }
        return commands
    }

    /// The steps run with the image's programs alone, and those that they install.
    @Test(arguments: examples)
    func theStepsFetchTheNeededFiles(_ example: Example) async throws {
        let text = try Repository.text(of: example.file)
        #expect(text.contains("\n\(example.line)\n"))
        let commands = Self.commands(in: text)
        #expect(commands.contains { $0.hasPrefix("fetch ") })
        let image = try BareImage(example.packages, hasFetch: example.line.hasSuffix(Self.image))
        let stage = image.stage
        let result = try await image.run(
            commands.map(Self.withPath),
            environment: [
                "FETCH_ARCHIVE": "fetch-1.1.0-linux-x86_64.tar.gz",
                "GITHUB_PATH": stage.home.path("github-path"),
            ]
        )
        #expect(result.status == 0, "\(result)")
        // fetch and curl need the certificates of authorities.
        #expect(image.installed.contains("ca-certificates"))
        #expect(stage.folder.readText("deps/one.txt") == "the content of one.txt\n")
        #expect(stage.folder.readText("deps/two.txt") == "the content of two.txt\n")
        if commands.contains(where: { $0.hasPrefix("curl ") }) {
            #expect(stage.home.exists(".local/bin/fetch"))
        }
    }

    /// A command, and what a runner of GitHub does with the folders in a step's `GITHUB_PATH`.
    private static func withPath(_ command: String) -> String {
        command.hasSuffix(#">>"$GITHUB_PATH""#)
            ? command + "\n" + #"PATH=$(cat "$GITHUB_PATH"):$PATH"# : command
    }

    @Test(arguments: [
        (["curl --version"], false), (["fetch --version"], false),
        (["apt-get install -y curl"], false),
        (["apt-get update", "apt-get install -y curl", "curl --version"], true),
    ])
    func aBareImageHasWhatIsInstalled(_ commands: [String], _ works: Bool) async throws {
        let result = try await BareImage().run(commands)
        #expect((result.status == 0) == works, "\(result)")
    }

    @Test(arguments: examples)
    func aYAMLParserReadsTheSameCommands(_ example: Example) async throws {
        let script = """
            import sys, yaml
            def walk(node):
                if isinstance(node, dict):
                    for key, value in node.items():
                        if key == "run":
                            print(value, end="")
                        elif key in ("script", "before_script", "commands"):
                            print("\\n".join(value))
                        else:
                            walk(value)
                elif isinstance(node, list):
                    for value in node:
                        walk(value)
            walk(yaml.safe_load(open(sys.argv[1])))
            """
        let result = try await FetchProcess.shell(
            #"exec /usr/bin/python3 -c "$1" "$2""#,
            script,
            Repository.path(example.file)
        )
        #expect(result.status == 0, "\(result)")
        let commands = Self.commands(in: try Repository.text(of: example.file))
        #expect(result.stdoutText.split(separator: "\n").map(String.init) == commands)
    }

    @Test(arguments: [
        ("self-contained", "Scripts/dist", "fetch-*-linux-*.tar.gz"),
        ("debian", "Scripts/package-deb", "fetch_*.deb"),
    ])
    func aDockerfileUsesTheScriptsOutput(
        _ edition: String,
        _ script: String,
        _ name: String
    ) throws {
        let text = try Repository.text(of: "contrib/docker/Dockerfile.\(edition)")
            .replacing("\\\n", with: "")
        let known: Set<Substring> = ["FROM", "RUN", "COPY", "ADD", "WORKDIR", "ENTRYPOINT", "#"]
        for line in text.split(separator: "\n") {
            #expect(known.contains(line.prefix { $0 != " " }), "\(line)")
        }
        #expect(text.contains(name))
        // Files are saved in the folder that the comment mounts, and an example uses the image's name.
        #expect(text.contains("\nWORKDIR /work\n"))
        #expect(text.contains("docker run --rm -v \"$PWD:/work\" \(Self.image) "))
        #expect(text.contains("docker build -t \(Self.image) -f contrib/docker/"))
        let example = try Repository.text(of: "contrib/ci/woodpecker.yml")
        #expect(example.contains("image: \(Self.image)\n"))
        #expect(
            try Repository.text(of: script).contains(
                edition == "debian" ? "fetch_${" : "fetch-$version-linux-"
            )
        )
    }

    /// Each picture is small and well-formed, shows its subject, and is as wide as its lines.
    @Test(arguments: [("bars", "debian.iso"), ("resume", "fetch -c ")])
    func anImageIsSmallAndWellFormed(_ name: String, _ shown: String) async throws {
        let text = try Repository.text(of: "docs/pictures/\(name).svg")
        #expect(text.utf8.count < 60_000)
        #expect(text.contains(shown))
        let number = text.firstMatch(of: /<svg [^>]*width="(\d+)"/)?.1
        let width = try #require(number.flatMap { Int($0) })
        for line in text.matches(of: />([^<]*)<\/text>/) {
            // A column takes 8 pixels, and each margin 14.
            let columns = line.1.replacing(/&\w+;/, with: "&").count
            #expect(columns * 8 + 28 <= width, "\(line.1)")
        }
        let result = try await FetchProcess.shell(
            #"exec python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$1""#,
            Repository.path("docs/pictures/\(name).svg")
        )
        #expect(result.status == 0, "\(result)")
    }

    @Test func theLicenceIsStatedOnce() throws {
        #expect(
            try Repository.text(of: "LICENSES/Apache-2.0.txt") == Repository.text(of: "LICENSE")
        )
    }
}
