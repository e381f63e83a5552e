import CLinux
import Glibc
package import SystemPackage

/// A program to start as a child process.
///
/// The child gets only the listed descriptors, unless `inherits` is set. It blocks no signal.
package struct ProcessStart: Sendable {
    /// The source of one of the child's descriptors.
    package enum Descriptor: Sendable {
        /// `/dev/null`, for reading at number 0, for writing elsewhere.
        case null
        /// This process's descriptor with the same number.
        case same
        /// A duplicate; the child makes all duplicates in order, before it opens any file.
        case duplicate(FileDescriptor)
    }

    /// The child's process group, which determines its signals.
    package enum Group: Sendable {
        /// This process's group, with its terminal.
        ///
        /// The child also ignores the signals that this process ignored at its start (nohup(1)), except
        /// SIGPIPE and SIGXFSZ, which this process itself ignores.
        case shared
        /// A new process group; the child ignores no signal.
        case own
        /// A new session (setsid(2)), without a terminal; the child ignores no signal.
        case session
    }

    /// The path, or a name to search in `PATH`.
    package var executable: String
    /// All arguments, of which the first is the program's name.
    package var arguments: [String]
    /// Further environment variables, besides those of this process.
    package var variables: [String: String] = [:]
    /// The child's descriptors 0, 1, 2 and so on.
    package var descriptors: [Descriptor]
    package var group: Group
    /// Whether the child inherits other descriptors without close-on-exec, which other code opened here
    /// or passed to this process.
    package var inherits: Bool

    package init(
        _ executable: String,
        _ arguments: [String],
        descriptors: [Descriptor],
        group: Group,
        inherits: Bool = false
    ) {
        self.executable = executable
        self.arguments = arguments
        self.descriptors = descriptors
        self.group = group
        self.inherits = inherits
    }

    /// Starts the process.
    ///
    /// - Returns: the process; the caller must wait for its end, or pass it to ``Children``.
    /// - Throws: the error of this process, or of the child before exec.
    package func start() throws(Errno) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        try Self.check(posix_spawn_file_actions_init(&actions))
        defer { posix_spawn_file_actions_destroy(&actions) }
        try describe(&actions)
        var attributes = posix_spawnattr_t()
        try Self.check(posix_spawnattr_init(&attributes))
        defer { posix_spawnattr_destroy(&attributes) }
        try describe(&attributes)
        let arguments = try Self.copies(of: arguments)
        defer { for text in arguments { free(text) } }
        let lines = try variables.isEmpty ? [] : Self.copies(of: environment)
        defer { for line in lines { free(line) } }
        var process: Int32 = 0
        let code = lines.withUnsafeBufferPointer { lines in
            posix_spawnp(
                &process,
                executable,
                &actions,
                &attributes,
                arguments,
                lines.isEmpty ? UnsafePointer(linux_environment()) : lines.baseAddress
            )
        }
        try Self.check(code)
        return process
    }

    private func describe(_ actions: inout posix_spawn_file_actions_t) throws(Errno) {
        for (number, descriptor) in zip(CInt(0)..., descriptors) {
            guard case .duplicate(let file) = descriptor else { continue }
            try Self.check(posix_spawn_file_actions_adddup2(&actions, file.rawValue, number))
        }
        for (number, descriptor) in zip(CInt(0)..., descriptors) {
            guard case .null = descriptor else { continue }
            let flags = number == 0 ? O_RDONLY : O_WRONLY
            try Self.check(
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", flags, 0)
            )
        }
        if !inherits { try Self.check(linux_spawn_closes(&actions, CInt(descriptors.count))) }
    }

    private func describe(_ attributes: inout posix_spawnattr_t) throws(Errno) {
        var signals = sigset_t()
        sigemptyset(&signals)
        try Self.check(posix_spawnattr_setsigmask(&attributes, &signals))
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        switch group {
        case .shared:
            sigaddset(&signals, SIGPIPE)
            sigaddset(&signals, SIGXFSZ)
        case .own:
            sigfillset(&signals)
            flags |= POSIX_SPAWN_SETPGROUP
            try Self.check(posix_spawnattr_setpgroup(&attributes, 0))
        case .session:
            sigfillset(&signals)
            flags |= linux_spawn_setsid
        }
        try Self.check(posix_spawnattr_setsigdefault(&attributes, &signals))
        try Self.check(posix_spawnattr_setflags(&attributes, Int16(flags)))
    }

    private var environment: [String] {
        var lines = variables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var place = linux_environment()
        while let line = place?.pointee {
            let text = String(cString: line)
            if variables[String(text.prefix { $0 != "=" })] == nil { lines.append(text) }
            place = place?.advanced(by: 1)
        }
        return lines
    }

    /// A C array of strings, terminated by `nil`; the caller frees each string.
    private static func copies(of texts: [String]) throws(Errno) -> [UnsafeMutablePointer<CChar>?] {
        let copies = texts.map { strdup($0) }
        guard copies.allSatisfy({ $0 != nil }) else {
            for copy in copies { free(copy) }
            throw .noMemory
        }
        return copies + [nil]
    }

    private static func check(_ code: CInt) throws(Errno) {
        guard code == 0 else { throw Errno(rawValue: code) }
    }
}

/// The process's limit of open file descriptors (`RLIMIT_NOFILE` of getrlimit(2)), which a child process
/// inherits.
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
        let allowed = min(rlim_t(clamping: wanted), limit.rlim_max)
        if limit.rlim_cur < allowed {
            let old = limit.rlim_cur
            limit.rlim_cur = allowed
            if setrlimit(resource, &limit) != 0 { limit.rlim_cur = old }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
