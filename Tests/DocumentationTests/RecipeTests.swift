import FoundationEssentials
import Testing

/// Checks that the diffs of CONTRIBUTING's recipes agree with the code.
///
/// Each added line is in the file, in order, and no removed line is.
@Suite struct RecipeTests {
    /// One hunk of a diff.
    private struct Hunk {
        let file: String
        var after: [Substring] = []
        var removed: [Substring] = []
    }

    private static func hunks(in block: String) -> [Hunk] {
        var hunks: [Hunk] = []
        var file = ""
        for line in block.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("+++ b/") {
                file = String(line.dropFirst(6))
            } else if line.hasPrefix("@@") {
                hunks.append(Hunk(file: file))
            } else if line.hasPrefix("--- a/") || hunks.isEmpty {
                continue
            } else if line.hasPrefix("-") {
                hunks[hunks.count - 1].removed.append(line.dropFirst())
            } else {
                hunks[hunks.count - 1].after.append(line.dropFirst())
            }
        }
        return hunks
    }

    @Test func everyRecipeHasADiffThatTheCodeHas() throws {
        let page = try Page("CONTRIBUTING.md")
        let section = try #require(
            page.text.split(separator: "\n## ").first { $0.hasPrefix("Recipes") }
        )
        let recipes = section.split(separator: "\n### ").dropFirst()
        #expect(recipes.count == 8)
        for recipe in recipes {
            let name = recipe.prefix { $0 != "\n" }
            let hunks = Page(name: "recipe", text: String(recipe)).blocks("diff").flatMap(
                Self.hunks
            )
            #expect(!hunks.isEmpty, "\(name)")
            for hunk in hunks {
                let text = try Repository.text(of: hunk.file) + "\n"
                let lines = hunk.after.joined(separator: "\n") + "\n"
                #expect(text.contains(lines), "\(name): \(hunk.file)\n\(lines)")
                for line in hunk.removed {
                    #expect(!text.contains("\(line)\n"), "\(name): \(hunk.file)\n\(line)")
                }
            }
        }
    }

    @Test func aHunkIsInTheFileAfterwards() {
        let block = "--- a/x\n+++ b/y\n@@\n one\n-two\n+three\n@@\n+four"
        let hunks = Self.hunks(in: block)
        #expect(hunks.map(\.file) == ["y", "y"])
        #expect(hunks.map(\.after) == [["one", "three"], ["four"]])
        #expect(hunks.map(\.removed) == [["two"], []])
    }
}
