import Testing

@testable import CurlMulti

@Suite("Refused streams")
struct StreamRefusalsTests {
    private let connection = ConnectionName(address: "127.0.0.1", port: 443, ownPort: 50_000)

    private func note(
        _ line: String,
        _ refusals: inout StreamRefusals,
        _ goaways: inout Goaways
    ) {
        Array(line.utf8).withUnsafeBytes { refusals.note(trace: $0, &goaways) }
    }

    /// A request whose stream has this hexadecimal number.
    private func request(
        stream: String,
        over connection: ConnectionName?,
        _ goaways: inout Goaways
    ) -> StreamRefusals {
        var refusals = StreamRefusals(isTracking: true)
        refusals.beginRequest()
        if let connection { refusals.begin(over: connection, isNew: false, &goaways) }
        note("Using Stream ID: \(stream) (easy handle 0x55)", &refusals, &goaways)
        return refusals
    }

    @Test("a refused stream has not reached the server until libcurl sends the request again")
    func refused() {
        var goaways = Goaways()
        var refusals = StreamRefusals(isTracking: true)
        #expect(!refusals.mayHaveReachedServer)
        refusals.beginRequest()
        #expect(refusals.mayHaveReachedServer && !refusals.isRefused)
        note("REFUSED_STREAM (7), try again", &refusals, &goaways)
        #expect(!refusals.mayHaveReachedServer && refusals.isRefused)
        refusals.beginRequest()
        #expect(refusals.mayHaveReachedServer && refusals.isRefused)
        refusals.noteSupplied()
        #expect(!refusals.isRefused)
    }

    @Test("a GOAWAY that one transfer reads refuses the later streams of the same connection")
    func goaway() {
        var goaways = Goaways()
        goaways.addTracedTransfer()
        var reader = request(stream: "3", over: connection, &goaways)
        var earlier = request(stream: "5", over: connection, &goaways)
        var later = request(stream: "b", over: connection, &goaways)
        let other = ConnectionName(address: "127.0.0.1", port: 443, ownPort: 50_001)
        var elsewhere = request(stream: "b", over: other, &goaways)
        note("received GOAWAY, error=0, last_stream=9", &reader, &goaways)
        earlier.update(from: goaways)
        later.update(from: goaways)
        elsewhere.update(from: goaways)
        #expect(!earlier.isRefused && earlier.mayHaveReachedServer)
        #expect(later.isRefused && !later.mayHaveReachedServer)
        #expect(!elsewhere.isRefused)
    }

    @Test("a GOAWAY is forgotten when its connection is replaced or its last listener leaves")
    func forgotten() {
        var goaways = Goaways()
        goaways.note(1, over: connection)
        #expect(goaways.last(over: connection) == nil)
        goaways.addTracedTransfer()
        goaways.note(1, over: connection)
        #expect(goaways.last(over: connection) == 1)
        var next = StreamRefusals(isTracking: true)
        next.begin(over: connection, isNew: true, &goaways)
        #expect(goaways.last(over: connection) == nil)
        goaways.note(1, over: connection)
        goaways.removeTracedTransfer()
        #expect(goaways.last(over: connection) == nil)
    }

    @Test("a GOAWAY over a connection without a name counts for its own request alone")
    func alone() {
        var goaways = Goaways()
        var refusals = request(stream: "5", over: nil, &goaways)
        note("received GOAWAY, error=0, last_stream=5", &refusals, &goaways)
        #expect(!refusals.isRefused)
        note("received GOAWAY, error=0, last_stream=3", &refusals, &goaways)
        #expect(refusals.isRefused)
    }
}
