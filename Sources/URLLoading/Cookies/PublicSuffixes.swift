/// The list of domains under which the public can register a name (<https://publicsuffix.org>), from
/// libpsl; libcurl uses it for the cookies of servers.
///
/// libcurl has already loaded the library. We need the list only if a cookie file has a cookie for all hosts
/// of a domain, so we open it then.
// Unchecked: addresses in a library that is never unloaded, and an immutable list.
struct PublicSuffixes: @unchecked Sendable {
    private typealias Open = @convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?
    private typealias IsPublicSuffix =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>, CInt) -> CInt

    /// `PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE` of libpsl.h: only listed names.
    ///
    /// Without the flag an unknown last label, as in a private network, would count as a suffix.
    private static let listedOnly: CInt = 3 | 1 << 2

    /// `nil` without the library; then libcurl does not check either.
    static let shared = PublicSuffixes()

    private let list: OpaquePointer
    private let isPublicSuffix: IsPublicSuffix

    private init?() {
        var library = ProcessLibrary("libpsl.so.5")
        guard let open = library.find("psl_latest"),
            let isPublicSuffix = library.find("psl_is_public_suffix2"),
            let list = unsafeBitCast(open, to: Open.self)(nil)
        else { return nil }
        self.list = list
        self.isPublicSuffix = unsafeBitCast(isPublicSuffix, to: IsPublicSuffix.self)
    }

    /// Whether a domain, in lower case and without a trailing dot, is on the list.
    func contains(_ domain: String) -> Bool {
        isPublicSuffix(list, domain, Self.listedOnly) != 0
    }
}
