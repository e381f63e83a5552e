import Glibc

/// The process's limit of open file descriptors (`RLIMIT_NOFILE` of getrlimit(2)).
package enum DescriptorLimit {
    /// Raises the limit, up to the one that the user may set.
    ///
    /// - Parameter wanted: the number of descriptors that the process may need.
    /// - Returns: the limit, which may be lower or higher.
    @discardableResult
    package static func raise(to wanted: Int) -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return wanted }
        let allowed = min(rlim_t(wanted), limit.rlim_max)
        if limit.rlim_cur < allowed {
            let old = limit.rlim_cur
            limit.rlim_cur = allowed
            if setrlimit(resource, &limit) != 0 { limit.rlim_cur = old }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
