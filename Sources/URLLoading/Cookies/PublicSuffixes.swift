/// The list of domains under which the public can register a name (<https://publicsuffix.org>), as
/// libpsl has it; libcurl uses it for the cookies of servers.
///
/// The library is in the process already, under libcurl. It is looked up when a cookie file first
/// has a cookie for all hosts of a domain, since most runs need none of it.
// Unchecked: addresses in a library that is never unloaded, and a list that nothing changes.
struct PublicSuffixes: @unchecked Sendable {
    private typealias Open = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
    private typealias Look =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>, CInt) -> CInt

    /// `PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE` of libpsl.h: what the list names, and no name only
    /// because the list does not know its last label, as in a network of one's own.
    private static let listedOnly: CInt = 3 | 1 << 2

    /// `nil` without the library; then libcurl does not check either.
    static let shared = PublicSuffixes()

    private let list: OpaquePointer
    private let look: Look

    private init?() {
        var library = ProcessLibrary("libpsl.so.5")
        guard let open = library.find("psl_latest"),
            let look = library.find("psl_is_public_suffix2"),
            let list = unsafeBitCast(open, to: Open.self)(nil)
        else { return nil }
        self.list = list
        self.look = unsafeBitCast(look, to: Look.self)
    }

    /// Whether a domain, in lower case and without a dot at its end, is on the list.
    func contains(_ domain: String) -> Bool {
        look(list, domain, Self.listedOnly) != 0
    }
}
