import FoundationEssentials
import Testing

/// The URL of a text that is one.
func url(_ text: String) throws -> URL {
    try #require(URL(string: text))
}
