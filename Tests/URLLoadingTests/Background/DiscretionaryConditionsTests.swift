import TestSupport
import Testing

@testable import URLLoading

@Suite("Discretionary conditions")
struct DiscretionaryConditionsTests {
    private let folder: TestSupport.TemporaryFolder
    private let conditions: DiscretionaryConditions

    init() throws {
        folder = try TestSupport.TemporaryFolder("sys")
        conditions = DiscretionaryConditions(root: folder.path, processors: 4)
    }

    private func supply(_ name: String, _ files: [String: String]) throws {
        for (file, text) in files {
            try folder.write(text + "\n", to: "sys/class/power_supply/\(name)/\(file)")
        }
    }

    private func pressure(_ resource: String, _ average: String) throws {
        try folder.write(
            "some avg10=99.00 avg60=\(average) avg300=99.00 total=1\nfull avg10=0 avg60=0\n",
            to: "proc/pressure/\(resource)"
        )
    }

    @Test("a machine without information has no condition to wait for")
    func silent() {
        #expect(conditions.waits(isRunning: false) == [])
    }

    @Test("a discharging battery is a condition, a mouse's battery is not")
    func power() throws {
        try supply("mouse", ["type": "Battery", "scope": "Device", "status": "Discharging"])
        #expect(conditions.hasMainsPower)
        try supply("BAT0", ["type": "Battery", "status": "Discharging", "present": "1"])
        #expect(conditions.waits(isRunning: false) == [.mainsPower])
        try supply("AC", ["type": "Mains", "online": "0"])
        #expect(!conditions.hasMainsPower)
        try supply("AC", ["online": "1"])
        #expect(conditions.hasMainsPower)
        try supply("AC", ["online": "0"])
        try supply("BAT0", ["status": "Charging"])
        #expect(conditions.hasMainsPower)
        try supply("BAT0", ["status": "Discharging", "present": "0"])
        #expect(conditions.hasMainsPower)
    }

    @Test("a busy machine is a condition, with a higher limit while transfers run")
    func pressureLimits() throws {
        try pressure("cpu", "9.99")
        try pressure("io", "0.00")
        #expect(conditions.waits(isRunning: false) == [])
        try pressure("io", "10.50")
        #expect(conditions.waits(isRunning: false) == [.idleMachine])
        #expect(conditions.waits(isRunning: true) == [])
        try pressure("cpu", "41.00")
        #expect(conditions.waits(isRunning: true) == [.idleMachine])
        // The load is ignored if there are pressure files.
        try folder.write("0.00 0.00 0.00 1/1 1\n", to: "proc/loadavg")
        #expect(conditions.waits(isRunning: true) == [.idleMachine])
    }

    @Test("the load average counts if there is no pressure information")
    func load() throws {
        try folder.write("1.10 0.00 0.00 1/1 1\n", to: "proc/loadavg")
        #expect(conditions.waits(isRunning: false) == [])
        try folder.write("1.30 0.00 0.00 1/1 1\n", to: "proc/loadavg")
        #expect(conditions.waits(isRunning: false) == [.idleMachine])
        #expect(conditions.waits(isRunning: true) == [])
        try folder.write("4.10 0.00 0.00 1/1 1\n", to: "proc/loadavg")
        #expect(conditions.waits(isRunning: true) == [.idleMachine])
    }

    @Test("a route to another machine is a condition")
    func network() throws {
        let zeros = String(repeating: "0", count: 32)
        try folder.write("Iface\tDestination\n", to: "proc/net/route")
        try folder.write(
            "\(zeros.dropLast())1 80 \(zeros) 00 \(zeros) 00000000 00000001 0 00000001       lo\n"
                + "fe80\(zeros.dropLast(4)) 40 \(zeros) 00 \(zeros) 0 1 0 1     eth0\n"
                + "ff00\(zeros.dropLast(4)) 08 \(zeros) 00 \(zeros) 0 1 0 1     eth0\n",
            to: "proc/net/ipv6_route"
        )
        #expect(conditions.waits(isRunning: false) == [.network])
        try folder.write("Iface\tDestination\neth0\t00000000\n", to: "proc/net/route")
        #expect(conditions.waits(isRunning: false) == [])
        try folder.write("Iface\tDestination\n", to: "proc/net/route")
        try folder.write(
            "\(zeros) 00 \(zeros) 00 fe80\(zeros.dropLast(4)) 0 1 0 1     eth0\n",
            to: "proc/net/ipv6_route"
        )
        #expect(conditions.waits(isRunning: false) == [])
    }

    @Test("this machine's conditions can be read")
    func here() {
        _ = DiscretionaryConditions().waits(isRunning: true)
        #expect(DiscretionaryConditions.Wait.allCases.allSatisfy { !$0.rawValue.isEmpty })
    }
}
