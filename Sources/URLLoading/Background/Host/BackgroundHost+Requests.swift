import FoundationEssentials
import Glibc

// What visitors say.
extension BackgroundHost {
    func take(_ frame: [UInt8], from number: Int) {
        guard let visitor = visitors[number] else { return }
        guard visitor.purpose != nil else { return greet(frame, visitor) }
        guard let request = try? JSONDecoder().decode(BackgroundRequest.self, from: Data(frame))
        else { return dismiss(number) }
        take(request, from: visitor)
    }

    private func greet(_ frame: [UInt8], _ visitor: BackgroundGuest) {
        let identifier = folder.identifier.text
        // Also to whom it cannot speak: it is how they find out.
        try? visitor.connection.send(BackgroundHello(identifier: identifier, process: getpid()))
        guard let hello = try? JSONDecoder().decode(BackgroundHello.self, from: Data(frame)),
            hello.obstacle(identifier: identifier) == nil, let purpose = hello.purpose
        else { return dismiss(visitor.number) }
        visitor.purpose = purpose
        guard purpose != .control else { return }
        // It may be the same program, which has hung up before: that is heard of first.
        attached?.connection.catchUp()
        let events = book.ledger.state.events
        let taken = events.filter { $0.value.event.file?.isTaken == true }
        report(
            .attach(
                BackgroundVisitor(
                    connection: visitor.number,
                    process: visitor.connection.peer.process,
                    seen: hello.seen,
                    taken: Set(taken.keys),
                    isWatching: purpose == .watch
                )
            )
        )
    }

    private func take(_ request: BackgroundRequest, from visitor: BackgroundGuest) {
        switch request {
        case .make(let tasks): make(tasks, visitor)
        case .submit(let tasks, let settings): make(tasks, under: settings, visitor)
        case .resume(let tasks): order(tasks.map { .resume(task: $0) }, visitor)
        case .suspend(let tasks): order(tasks.map { .suspend(task: $0) }, visitor)
        case .cancel(let tasks, let keepsParts):
            order(
                tasks.map { keepsParts == true ? .cancelKeepingPart(task: $0) : .cancel(task: $0) },
                visitor
            )
        case .pause(let isPaused): order([.pause(isPaused)], visitor)
        case .resumeAll: order([.pause(false), .resumeAll], visitor)
        case .discard: order([.discard], visitor)
        case .settings(let settings):
            guard var known = book.ledger.state.settings else { return }
            known.adopt(settings)
            order([.settings(known)], visitor)
        case .acknowledge(let sequence):
            report(.acknowledge(sequence: sequence, from: visitor.number))
        case .answer(let task, let disposition, let user, let password, let identity, let place):
            // The task may have met another server since the program was asked.
            guard case .parked(let challenge)? = book.ledger.state.tasks[task]?.phase,
                place?.place == challenge.place
            else { break }
            // A credential is never written down.
            transfers.answer(
                task,
                to: challenge,
                disposition: disposition,
                user: user,
                password: password,
                identity: identity
            )
            report(.answered(task: task))
        case .status:
            if let status = headed(for: visitor) { visitor.send(.status(status: status)) }
        }
    }

    private func order(_ inputs: [BackgroundInput], _ visitor: BackgroundGuest) {
        for input in inputs { report(input) }
        report(.confirm(from: visitor.number))
    }
}
