import FoundationEssentials
import TestSupport
import Testing

/// Runs every recipe of the guide word for word, and compares its output with the guide.
@Suite(.timeLimit(.minutes(2))) struct GuideTests {
    private static let page = "docs/guide.md"

    private static func recipes() throws -> [Recipe] {
        Recipe.all(in: try Repository.text(of: page)).recipes
    }

    @Test func everyBlockIsARecipeOrItsOutput() throws {
        let (recipes, others) = Recipe.all(in: try Repository.text(of: Self.page))
        #expect(others == [])
        #expect(recipes.count > 35)
        #expect(recipes.count { $0.prints != nil } > 20)
    }

    @Test(arguments: try recipes())
    func works(_ recipe: Recipe) async throws {
        #expect(recipe.script.isEmpty == recipe.isTimer)
        let stage = try RecipeStage()
        let result = try await stage.run(recipe.script)
        #expect(result.status == 0, "\(result)")
        // A recipe about errors writes them to its own files.
        #expect(!result.stderr.contains("fetch: "), "\(result)")
        if let prints = recipe.prints { #expect(result.stdoutText == prints, "\(result)") }
    }

    /// Each timer is shown with its service, has a time, and can be enabled.
    @Test func everyTimerHasItsService() throws {
        let units = try Self.recipes().filter { $0.language == "ini" }
        let timers = units.filter(\.isTimer)
        #expect(!timers.isEmpty)
        #expect(units.count == 2 * timers.count)
        for timer in timers {
            let lines = timer.text.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("OnCalendar=") })
            #expect(lines.contains("WantedBy=timers.target"))
        }
    }

    @Test func theManualPageHasEveryRecipe() async throws {
        let text = try await FetchProcess.shell(
            #"MANWIDTH=132 MANPAGER=cat exec man --warnings=w -l "$1""#,
            Repository.path("man/fetch-guide.7")
        )
        #expect(text.status == 0)
        #expect(text.stderr == "")
        let printed = text.stdoutText.filter { !$0.isWhitespace }
        #expect(!printed.contains(".svg"))
        for recipe in try Self.recipes() {
            #expect(printed.contains(recipe.text.filter { !$0.isWhitespace }), "\(recipe)")
        }
    }

    @Test func theManualPageIsWellFormed() async throws {
        let result = try await FetchProcess.shell(
            """
            mandoc -T lint -W all "$1"
            groff -man -Tutf8 -ww -rCHECKSTYLE=3 -z "$1"
            lexgrog "$1"
            """,
            Repository.path("man/fetch-guide.7")
        )
        #expect(result.stderr == "")
        #expect(result.stdoutText.hasSuffix(": \"fetch-guide - recipes for fetch\"\n"), "\(result)")
        #expect(result.stdoutText.count { $0 == "\n" } == 1, "\(result)")
    }

    @Test func blocksAreSeparated() {
        let (recipes, others) = Recipe.all(
            in:
                "```sh\na\nb\n```\n\n```text\nc\n```\n```crontab\n0 3 * * * d e\n```\n```json\n{}\n```\n"
        )
        #expect(recipes.map(\.script) == ["a\nb\n", "d e"])
        #expect(recipes.map(\.prints) == ["c\n", nil])
        #expect(others == ["json in line 13"])
    }
}
