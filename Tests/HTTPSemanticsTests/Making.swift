import FoundationEssentials
import Testing

/// The URL of a valid text.
func url(_ text: String) throws -> URL {
    try #require(URL(string: text))
}
