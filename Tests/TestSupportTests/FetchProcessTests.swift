import TestSupport
import Testing

@Test
func shellReturnsStatusAndOutput() async throws {
    let result = try await FetchProcess.shell(#"echo out; echo "$1" >&2; exit 3"#, "err")
    #expect(result.status == 3)
}
