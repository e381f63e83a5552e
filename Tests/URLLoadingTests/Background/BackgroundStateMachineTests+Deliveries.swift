import Testing

@testable import URLLoading

// Events, and the clients that receive them.
extension BackgroundStateMachineTests {
    @Test("a second client is refused with the attached one's process")
    func second() {
        take(controlClient(1, process: 4_711))
        #expect(take(controlClient(2)) == [.reply(connection: 2, .inUse(process: 4_711))])
        take(.detach(connection: 2))
        #expect(machine.attachment?.connection == 1)
        take(.detach(connection: 1))
        #expect(take(controlClient(3)) == [.attached(connection: 3), .deliver])
    }

    @Test("an event is redelivered only if its delivery is uncertain, with a flag")
    func doubt() {
        take(.make([taskRecord(1), taskRecord(2)], from: 1), .resume(task: 1), .resume(task: 2))
        take(controlClient(1), .failed(task: 1, .lost, nil))
        #expect(deliveries().map(\.sequence) == [1])
        take(.detach(connection: 1), .failed(task: 2, .lost, nil))
        // The client ended without an acknowledgement: event 1 is in doubt, events 2 and 3 are not.
        take(controlClient(2))
        let reported = deliveries()
        #expect(reported.map(\.sequence) == [1, 2, 3])
        #expect(reported.map(\.isRedelivery) == [true, false, false])
        // This client has a cursor.
        take(.detach(connection: 2), controlClient(3, seen: 2))
        #expect(deliveries().map(\.sequence) == [3])
        take(.detach(connection: 3), controlClient(4, seen: 2))
        #expect(deliveries().map(\.isRedelivery) == [false])
        // This client's cursor is of another session with the same identifier.
        take(.detach(connection: 4), controlClient(5, seen: 3, token: "t0"))
        #expect(deliveries().map(\.isRedelivery) == [true])
    }

    @Test("an uncertain delivery stays uncertain for the next client, whose cursor is earlier")
    func lastingDoubt() {
        take(.make([taskRecord(1), taskRecord(2)], from: 1), .resume(task: 1), .resume(task: 2))
        take(controlClient(1), .failed(task: 1, .lost, nil), .failed(task: 2, .lost, nil))
        #expect(deliveries().count == 3)
        // The second client has received the first event when the transfer process is killed.
        take(.detach(connection: 1), controlClient(2))
        machine = BackgroundStateMachine(machine.state)
        take(controlClient(1, seen: 1))
        #expect(deliveries().map(\.isRedelivery) == [true, true])
    }

    @Test("a file that the client has taken counts as delivered, if it was offered")
    func taken() {
        take(.make([taskRecord(1), taskRecord(2)], from: 1), .resume(task: 1), .resume(task: 2))
        take(controlClient(1), .received(task: 1, file: receivedFile(1), nil))
        #expect(deliveries().count == 2)
        take(.detach(connection: 1), .received(task: 2, file: receivedFile(2), nil))
        take(controlClient(2, taken: [1, 2, 3, 99]))
        let reported = deliveries()
        #expect(reported.map(\.sequence) == [2, 3, 4, 5])
        #expect(reported.map(\.isRedelivery) == [true, false, false, false])
        #expect(take(.acknowledge(sequence: 5, from: 2)) == [.forget(tasks: [1, 2])])
    }

    @Test("a client can acknowledge only events that it was sent")
    func acknowledgement() {
        take(.make([taskRecord(1)], from: 1), .resume(task: 1), .failed(task: 1, .lost, nil))
        #expect(take(.acknowledge(sequence: 2, from: 1)) == [])
        take(controlClient(1))
        #expect(take(.acknowledge(sequence: 1, from: 1)) == [])
        _ = machine.nextDelivery()
        #expect(take(.acknowledge(sequence: 2, from: 1)) == [])
        #expect(take(.acknowledge(sequence: 1, from: 9)) == [])
        #expect(take(.acknowledge(sequence: 1, from: 1)) == [.forget(tasks: [1])])
        #expect(machine.state.counters.acknowledged == 1)
    }

    @Test("allDone is sent once, even if several tasks end at the same time")
    func together() {
        take(.settings(sessionSettings(command: "true")))
        take(.make((1...5).map { taskRecord($0) }, from: 1), .resume(task: 2), .resume(task: 4))
        let counts = BackgroundCounts(succeeded: 0, failed: 5)
        let effects = machine.take((1...5).map { .cancel(task: $0) }, at: 10).effects
        #expect(effects.last == .runCommand(run: 1, .allDone(counts: counts)))
        #expect(machine.state.events.count == 6)
        #expect(machine.state.events[6]?.event == .allDone(counts: counts))
    }
}
