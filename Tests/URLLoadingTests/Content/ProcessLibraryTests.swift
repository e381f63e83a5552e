import Testing

@testable import URLLoading

@Suite("Functions looked up by name")
struct ProcessLibraryTests {
    @Test("what is in the process already is found without the library")
    func inTheProcess() {
        // The file is on no machine: libcurl has brought the function along.
        var library = ProcessLibrary("libfetch-has-no-such-library.so.1")
        #expect(library.find("inflate") != nil)
        #expect(library.isComplete)
    }

    @Test("a library that nothing has brought along is loaded")
    func loaded() {
        // Scripts/setup installs it for the tests; neither they nor libcurl link with it.
        var library = ProcessLibrary("libsystemd.so.0")
        #expect(library.find("sd_bus_new") != nil)
        #expect(library.isComplete)
    }

    @Test("a missing library, and a missing function of one, are said for good")
    func missing() {
        var library = ProcessLibrary("libfetch-has-no-such-library.so.1")
        #expect(library.find("fetch_has_no_such_function") == nil)
        #expect(library.find("inflate") != nil)
        #expect(!library.isComplete)

        var other = ProcessLibrary("libsystemd.so.0")
        #expect(other.find("fetch_has_no_such_function") == nil)
        #expect(!other.isComplete)
    }

    @Test("all codings of the ordinary edition are offered")
    func offered() {
        #expect(ContentCoding.accepted == "gzip, deflate, br, zstd")
    }
}
