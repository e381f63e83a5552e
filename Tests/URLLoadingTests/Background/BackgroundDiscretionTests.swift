import FoundationEssentials
import Testing

@testable import URLLoading

/// The sessions that wait for a good time, and the end of the wait.
@Suite("Discretionary background sessions")
struct BackgroundDiscretionTests {
    private var waiting: BackgroundSettings {
        var settings = sessionSettings()
        settings.isDiscretionary = true
        return settings
    }

    @Test("B-07 S-05 a background session is not discretionary by default, and has no cache")
    func defaults() throws {
        let configuration = URLSessionConfiguration.background(withIdentifier: "s")
        #expect(!configuration.isDiscretionary)
        #expect(configuration.urlCache == nil)
        let settings = BackgroundSettings(try BackgroundIdentifier("s"), configuration.settings)
        #expect(!settings.isDiscretionary)
        let stored = try #require(settings.configuration.flatMap { SessionSettings(stored: $0) })
        #expect(stored.urlCache == nil)
    }

    @Test("B-07 a watching client ends the discretionary wait")
    func attaching() {
        for watches in [true, false] {
            var machine = BackgroundStateMachine(BackgroundState([.session(settings: waiting)]))
            let controlClient = AttachRequest(connection: 1, process: 7, isWatching: watches)
            let effects = machine.take([.attach(controlClient)], at: 1).effects
            #expect(machine.state.settings?.isDiscretionary == !watches)
            let configured = effects.contains(.configure(sessionSettings()))
            #expect(configured == watches)
        }
    }

    @Test("B-07 resuming ends the discretionary wait")
    func resuming() {
        var machine = BackgroundStateMachine(BackgroundState([.session(settings: waiting)]))
        let step = machine.take([.resumeAll], at: 1)
        #expect(step.records == [.session(settings: sessionSettings())])
        #expect(step.effects == [.configure(sessionSettings())])
        #expect(machine.take([.resumeAll], at: 1).records.isEmpty)
    }
}
