import CLinux
import Glibc

/// Steps back behind all else that wants a processor or a disk.
enum LowPriority {
    /// nice(2)'s number.
    static let niceness: CInt = 15

    /// Lowers this thread's priority, and that of those that it starts: to be called before any is.
    ///
    /// What cannot be lowered stays as it is: it is a courtesy.
    static func adopt() {
        // Never up: it may have been started with less.
        let own = __priority_which_t(PRIO_PROCESS.rawValue)
        if getpriority(own, 0) < niceness { setpriority(own, 0, niceness) }
        _ = linux_lower_io_priority()
    }
}
