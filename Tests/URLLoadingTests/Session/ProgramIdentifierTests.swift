import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Program identifiers of stores")
struct ProgramIdentifierTests {
    @Test("S-02 a program's files carry its name, and no text leaves the folder")
    func folders() throws {
        let environment = { (name: String) in name == "HOME" ? "/h" : nil }
        let one = UserFolders(program: "com.example.one", environment: environment)
        #expect(one.state == "/h/.local/state/com.example.one")
        #expect(one.cache == "/h/.cache/com.example.one")
        #expect(one.data == "/h/.local/share/com.example.one")
        for text in ["../x", "/etc", ".", "..", "a/b", "\u{0}", " "] {
            let name = try BackgroundIdentifier(text).folderName
            #expect(!name.utf8.contains(UInt8(ascii: "/")))
            #expect(name != "." && name != "..")
        }
    }

    @Test("S-02 the identifier is the executable's file name, and an empty text changes nothing")
    func standard() {
        let name = URLSessionConfiguration.programIdentifier
        let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #expect(file?.hasSuffix("/" + name) == true)
        URLSessionConfiguration.programIdentifier = ""
        #expect(URLSessionConfiguration.programIdentifier == name)
    }
}
