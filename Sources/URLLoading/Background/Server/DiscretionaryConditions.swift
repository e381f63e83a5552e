import CLinux
import FoundationEssentials
import Glibc

/// Whether this is a good time for what can wait: mains power, an idle machine, a network.
///
/// All of it is read from the kernel's files; one that is not there speaks for no wait, since a
/// machine without a battery has mains power.
struct DiscretionaryConditions: Sendable {
    /// What is waited for.
    enum Wait: String, Codable, Hashable, Sendable, CaseIterable {
        case mainsPower
        case idleMachine
        case network
    }

    /// Up to which pressure a machine counts as idle: the share of time in which a process waits
    /// for a processor or a disk, in percent over the last minute.
    static let idlePressure = 10.0
    /// Up to which it does so while transfers are under way, which are the cause of some of it.
    static let busyPressure = 40.0
    /// The same without such values: the load of each processor over the last minute.
    static let idleLoad = 0.3
    /// The same while transfers are under way.
    static let busyLoad = 1.0

    private let root: String
    private let processors: Int

    /// - Parameters:
    ///   - root: in front of `/sys` and `/proc`.
    ///   - processors: how many there are.
    init(root: String = "", processors: Int = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))) {
        self.root = root
        self.processors = processors
    }

    /// What has to be waited for.
    ///
    /// - Parameter isRunning: whether transfers are under way: it takes more to stop them than it
    ///   takes not to begin.
    /// - Returns: empty where the time is good.
    func waits(isRunning: Bool) -> [Wait] {
        var waits: [Wait] = []
        if !hasMainsPower { waits.append(.mainsPower) }
        if !isIdle(isRunning: isRunning) { waits.append(.idleMachine) }
        if !hasNetwork { waits.append(.network) }
        return waits
    }

    /// Whether no battery is being emptied.
    var hasMainsPower: Bool {
        let folder = "\(root)/sys/class/power_supply"
        var hasBattery = false
        for name in FolderListing.names(folder) {
            let supply = "\(folder)/\(name)"
            // A mouse's battery is not the machine's.
            guard word("\(supply)/scope") != "Device" else { continue }
            switch word("\(supply)/type") {
            case "Battery", "UPS":
                // One that is there and not being emptied has something to be filled from.
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

    /// Whether there is a route to anywhere but this machine itself.
    private var hasNetwork: Bool {
        let old = text("\(root)/proc/net/route")
        let new = text("\(root)/proc/net/ipv6_route")
        guard old != nil || new != nil else { return true }
        let hasOld = old.map { table in
            table.split(separator: "\n").dropFirst().contains { !$0.hasPrefix("lo\t") }
        }
        if hasOld == true { return true }
        return new.map { table in
            table.split(separator: "\n").contains { line in
                let columns = line.split(separator: " ")
                // Link-local addresses, which every link has, lead to no server.
                return columns.last != "lo" && !line.hasPrefix("fe80") && !line.hasPrefix("ff")
            }
        } ?? false
    }

    private func word(_ path: String) -> String? {
        text(path)?.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    private func text(_ path: String) -> String? {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        defer { close(number) }
        var text: [UInt8] = []
        while text.count < 1 << 20 {
            var count = 0
            text += [UInt8](unsafeUninitializedCapacity: 4_096) { space, taken in
                count = read(number, space.baseAddress, space.count)
                taken = max(0, count)
            }
            if count <= 0 { break }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension DiscretionaryConditions.Wait {
    /// What is waited for, in words.
    var words: String {
        switch self {
        case .mainsPower: "mains power"
        case .idleMachine: "an idle machine"
        case .network: "a network"
        }
    }
}

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
    /// One that is started meanwhile has the priority of the thread that starts it: so it is looked
    /// again until there is none that was not seen. Those that dispatch starts for root later have
    /// the usual one; what transfers is there already.
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
