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
        // Dispatch gives each thread a priority of its own, where it may: root's may.
        _ = linux_give_up_raising_priority()
    }

    /// The same for all threads of a process that runs already.
    ///
    /// One that is started meanwhile has the priority of whoever starts it: so it is looked again
    /// until there is none that was not seen. Those that dispatch starts for root later have the usual
    /// one; what transfers is there already.
    static func adoptEverywhere() {
        let kind = __priority_which_t(PRIO_PROCESS.rawValue)
        var known: Set<id_t> = []
        for _ in 0..<16 {
            let threads = FolderListing.names("/proc/self/task").compactMap { id_t($0) }
            let new = threads.filter { known.insert($0).inserted }
            guard !new.isEmpty else { return }
            for thread in new {
                if getpriority(kind, thread) < niceness { setpriority(kind, thread, niceness) }
                _ = linux_lower_io_priority_of(CInt(thread))
            }
        }
    }
}
