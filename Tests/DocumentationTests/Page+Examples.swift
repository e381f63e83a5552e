import FetchDocumentation

extension Page {
    /// The commands of the page's first `sh` block, each with the comment before it.
    var examples: [Example] {
        var examples: [Example] = []
        var comment: [Substring] = []
        for line in (blocks("sh").first ?? "").split(separator: "\n") {
            if line.hasPrefix("# ") {
                comment.append(line.dropFirst(2))
            } else {
                examples.append(
                    Example(explanation: comment.joined(separator: " "), command: String(line))
                )
                comment = []
            }
        }
        return examples
    }
}
