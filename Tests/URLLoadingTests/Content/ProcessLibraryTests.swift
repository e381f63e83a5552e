import Testing

@testable import URLLoading

@Suite("Functions looked up by name")
struct ProcessLibraryTests {
    @Test("a function that is in the process is found without the library")
    func inTheProcess() {
        // The file exists on no machine: libcurl has loaded the function's library.
        var library = ProcessLibrary("libfetch-has-no-such-library.so.1")
        #expect(library.find("inflate") != nil)
        #expect(library.isComplete)
    }

    @Test("a library that is not in the process is loaded")
    func loaded() {
        // Scripts/setup installs it for the tests; neither they nor libcurl link with it.
        var library = ProcessLibrary("libsystemd.so.0")
        #expect(library.find("sd_bus_new") != nil)
        #expect(library.isComplete)
    }

    @Test("a missing library, or a missing function, is remembered as missing")
    func missing() {
        var library = ProcessLibrary("libfetch-has-no-such-library.so.1")
        #expect(library.find("fetch_has_no_such_function") == nil)
        #expect(library.find("inflate") != nil)
        #expect(!library.isComplete)

        var other = ProcessLibrary("libsystemd.so.0")
        #expect(other.find("fetch_has_no_such_function") == nil)
        #expect(!other.isComplete)
    }

    @Test("the ordinary edition requests all codings")
    func offered() {
        #expect(ContentCoding.accepted == "gzip, deflate, br, zstd")
    }
}
