import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// The conditions for discretionary sessions: mains power, an idle machine, a network.
///
/// All values come from the kernel's files. A missing file counts as a condition that is met: a machine
/// without a battery has mains power.
struct DiscretionaryConditions: Sendable {
    enum Wait: String, Sendable, CaseIterable {
        case mainsPower = "mains power"
        case idleMachine = "an idle machine"
        case network = "a network"
    }

    /// The highest pressure of an idle machine: the share of the last minute in which a process waited for
    /// a processor or a disk, percent.
    static let idlePressure = 10.0
    /// The highest pressure while transfers run, which cause some of it, percent.
    static let busyPressure = 40.0
    /// The highest load of an idle machine without pressure files: per processor, over the last minute.
    static let idleLoad = 0.3
    /// The highest load while transfers run.
    static let busyLoad = 1.0

    /// The path before `/sys` and `/proc`.
    private let root: String
    private let processors: Int

    init(root: String = "", processors: Int = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))) {
        self.root = root
        self.processors = processors
    }

    /// The conditions that are not met; the limits for stopping are higher than those for starting.
    func waits(isRunning: Bool) -> [Wait] {
        var waits: [Wait] = []
        if !hasMainsPower { waits.append(.mainsPower) }
        if !isIdle(isRunning: isRunning) { waits.append(.idleMachine) }
        if !hasNetwork { waits.append(.network) }
        return waits
    }

    /// Whether no battery is discharging.
    var hasMainsPower: Bool {
        let folder = "\(root)/sys/class/power_supply"
        var hasBattery = false
        for name in FolderListing.names(folder) {
            let supply = "\(folder)/\(name)"
            // The battery of a device, such as a mouse, does not count.
            guard word("\(supply)/scope") != "Device" else { continue }
            switch word("\(supply)/type") {
            case "Battery", "UPS":
                // A battery that charges or is full has mains power.
                if word("\(supply)/present") == "0" { continue }
                if ["Charging", "Full"].contains(word("\(supply)/status")) { return true }
                hasBattery = true
            case "Mains", "USB", "USB_PD", "USB_C", "Wireless":
                if let online = word("\(supply)/online"), online != "0" { return true }
            default: break
            }
        }
        return !hasBattery
    }

    private func isIdle(isRunning: Bool) -> Bool {
        let limit = isRunning ? Self.busyPressure : Self.idlePressure
        let pressures = ["cpu", "io"].compactMap { pressure($0) }
        guard pressures.isEmpty else { return pressures.allSatisfy { $0 <= limit } }
        guard let load = text("\(root)/proc/loadavg")?.split(separator: " ").first,
            let load = Double(load)
        else { return true }
        return load / Double(processors) <= (isRunning ? Self.busyLoad : Self.idleLoad)
    }

    /// `some avg60` of one of the kernel's files on pressure, in percent.
    private func pressure(_ resource: String) -> Double? {
        let lines = text("\(root)/proc/pressure/\(resource)")?.split(separator: "\n")
        let line = lines?.first { $0.hasPrefix("some ") }
        let average = line?.split(separator: " ").first { $0.hasPrefix("avg60=") }
        return average.flatMap { Double($0.dropFirst("avg60=".count)) }
    }

    /// Whether there is a route to another machine.
    private var hasNetwork: Bool {
        let old = text("\(root)/proc/net/route")
        let new = text("\(root)/proc/net/ipv6_route")
        guard old != nil || new != nil else { return true }
        let lines = old?.split(separator: "\n").dropFirst() ?? []
        if lines.contains(where: { !$0.startsWithBytes(of: "lo\t") }) { return true }
        return new?.split(separator: "\n").contains { line in
            let columns = line.split(separator: " ")
            // Link-local and multicast routes, which every link has, lead to no server.
            return columns.last?.hasBytes(of: "lo") != true && !line.startsWithBytes(of: "fe80")
                && !line.startsWithBytes(of: "ff")
        } ?? false
    }

    private func word(_ path: String) -> String? {
        text(path)?.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    private func text(_ path: String) -> String? {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
            return nil
        }
        defer { try? file.close() }
        return (try? file.readToEnd(limit: 16 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }
}

enum LowPriority {
    static let niceness: CInt = 15

    /// Lowers the priority of this thread and of threads that it starts; call it before the first one.
    ///
    /// Errors are ignored: a low priority is a courtesy.
    static func adopt() {
        lower(0)
        // Dispatch sets the priority of each of its threads if it may, as root's may.
        _ = linux_give_up_raising_priority()
    }

    /// Lowers the priority of all threads of a running process.
    ///
    /// A new thread has the priority of the thread that starts it, so the list is read until it has no new
    /// threads. For root, threads that dispatch starts later have the usual priority.
    static func adoptEverywhere() {
        var known: Set<id_t> = []
        for _ in 0..<16 {
            let threads = FolderListing.names("/proc/self/task").compactMap { id_t($0) }
            let new = threads.filter { known.insert($0).inserted }
            guard !new.isEmpty else { return }
            for thread in new { lower(thread) }
        }
    }

    /// Lowers the priority of a thread; 0: this one.
    private static func lower(_ thread: id_t) {
        let kind = __priority_which_t(PRIO_PROCESS.rawValue)
        // Never raised: the process may have been started with a lower priority.
        if getpriority(kind, thread) < niceness { setpriority(kind, thread, niceness) }
        _ = linux_lower_io_priority(CInt(thread))
    }
}
