import FoundationEssentials
import Synchronization
import SystemPackage
import URLLoading

// Bodies that are written to standard output and devices.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        printer.event(.didReceiveResponse, dataTask, ["response": .response(response)])
        guard let run = run(dataTask) else { return completionHandler(.cancel) }
        switch take(response, dataTask, run) {
        case .deliverPart: completionHandler(.allow)
        case .continueBody(let offset, let length):
            run.progress.receive(of: length ?? -1, from: offset)
            completionHandler(.allow)
        case .deliver:
            guard mayWait(run) else { return completionHandler(deliver(response, dataTask, run)) }
            session.queue.handOff { [self] in completionHandler(deliver(response, dataTask, run)) }
        case .becomeFile, .saveAsError: completionHandler(.becomeDownload)
        case .drop:
            let drop: @Sendable () -> Void = { [self] in
                writeHeads(ofRefused: response, dataTask, run)
                completionHandler(begins(excerptOf: response, dataTask, run) ? .allow : .cancel)
            }
            if mayWait(run) { session.queue.handOff(drop) } else { drop() }
        case .cancel, .stop: completionHandler(.cancel)
        }
    }

    /// Decides what is done with a response's body, and shows the head.
    func take(_ response: URLResponse, _ task: URLSessionTask, _ run: TaskRun) -> BodyAction {
        let action = run.received(response, task)
        guard let http = response as? HTTPURLResponse else { return action }
        if action != .deliverPart {
            authenticator.noteStatus(http.statusCode, of: task, run)
            printer.fromCache(run, http)
        }
        printer.head(http)
        return action
    }

    private func deliver(
        _ response: URLResponse,
        _ task: URLSessionTask,
        _ run: TaskRun
    ) -> URLSession.ResponseDisposition {
        do throws(URLError) {
            try run.openOutput(expecting: response.expectedContentLength, device)
            printer.receive(run, response)
            try writeHeads(response, task, run)
            return .allow
        } catch {
            run.note(error)
            return .cancel
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        printer.event(.didReceiveData, dataTask, ["bytesReceived": .amount(Int64(data.count))])
        guard let run = run(dataTask) else { return }
        switch run.received(data) {
        case .write(let data):
            guard run.bufferedBody == nil, run.turn?.hasBegun ?? true,
                !run.get(\.output.descriptor).takes(data.count)
            else { return write(data, dataTask, run) }
            session.queue.handOff { [self] in write(data, dataTask, run) }
        case .drop: break
        case .cancel: dataTask.cancel()
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        // The delegate has received this body already.
        let response = proposedResponse.response
        printer.event(.willCacheResponse, dataTask, ["response": .response(response)])
        completionHandler(proposedResponse)
    }
}

// Bodies that are written directly from the transfer's buffer.
extension RunDelegate: BodyTaker {
    /// With events, larger and fewer pieces are delivered, because each is an event.
    var takesBodies: Bool { !printer.reportsEvents }

    func take(_ bytes: UnsafeRawBufferPointer, of task: URLSessionDataTask) -> Int {
        guard let run = run(task) else { return bytes.count }
        let isKept =
            run.bufferedBody != nil || run.turn?.hasBegun == false
            || run.get { $0.attempt.excerpt != nil }
        switch run.received(isKept ? Data(bytes) : Data(borrowing: bytes)) {
        case .drop: return bytes.count
        case .cancel:
            task.cancel()
            return bytes.count
        case .write(let data):
            do {
                let count = try writeSome(data, task, run)
                if count > 0 { note(written: data.prefix(count), run) }
                return bytes.count - data.count + count
            } catch {
                stop(task, run, error)
                return bytes.count
            }
        }
    }

    /// Buffers the bytes, or writes what the reader accepts now; the rest is asked for later.
    private func writeSome(_ data: Data, _ task: URLSessionTask, _ run: TaskRun) throws -> Int {
        if let body = run.bufferedBody {
            try body.append(data)
            return data.count
        }
        if run.turn?.buffers(data, of: task) == true { return data.count }
        let output = output(run.get(\.output.descriptor))
        let count = try data.withUnsafeBytes { try output.write($0) }
        if count < data.count {
            MainLoop.shared.executor.whenWritable(output.descriptor) { [output] in
                // The descriptor must stay open until the callback.
                withExtendedLifetime(output) { task.reportRoom() }
            }
        }
        return count
    }

    /// The device or FIFO at a path, opened once, so that its reader gets end-of-file at the end.
    func device(_ path: String) throws(URLError) -> OutputDescriptor {
        if let known = devices.withLock({ $0[ExactText(path)] }) { return known }
        // Without the lock: a FIFO without a reader must not stop the tasks of another one.
        let opened = try OutputDescriptor(opening: path)
        return devices.withLock { devices in
            if let known = devices[ExactText(path)] {
                opened.close()
                return known
            }
            devices[ExactText(path)] = opened
            return opened
        }
    }

    private func output(_ output: OutputDescriptor) -> PromptOutput {
        outputs.withLock { outputs in
            if let known = outputs[output.descriptor.rawValue] { return known }
            let made = PromptOutput(output)
            outputs[output.descriptor.rawValue] = made
            return made
        }
    }

    /// Whether opening the output or writing a head may block.
    private func mayWait(_ run: TaskRun) -> Bool {
        if case .device = run.plan.kind.destination, !run.get(\.output.isOpen) { return true }
        return wantsHeads(run)
    }
}

extension Data {
    /// Data without a copy, valid only as long as the bytes.
    fileprivate init(borrowing bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else {
            self.init()
            return
        }
        self.init(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: start),
            count: bytes.count,
            deallocator: .none
        )
    }
}

// Bodies that are written from the delegate's data.
extension RunDelegate {
    private func write(_ data: Data, _ task: URLSessionTask, _ run: TaskRun) {
        guard put(data, task, run) else { return }
        note(written: data, run)
    }

    private func note(written data: Data, _ run: TaskRun) {
        let (proof, bytes) = run.change { life in
            life.wrote(data.count)
            return (life.attempt.isCompared ? life.output.proof : nil, life.bytes)
        }
        proof?.take(data)
        printer.received(run, bytes)
    }

    /// Writes a head, which is not part of the body that a later attempt continues.
    func write(head data: Data, _ task: URLSessionTask, _ run: TaskRun) {
        guard put(data, task, run) else { return }
        run.change { $0.bytes += Int64(data.count) }
    }

    /// Writes bytes to their output, or ends the task; returns whether they were written.
    private func put(_ data: Data, _ task: URLSessionTask, _ run: TaskRun) -> Bool {
        do {
            if let body = run.bufferedBody {
                try body.append(data)
            } else if run.turn?.buffers(data, of: task) != true {
                try data.withUnsafeBytes { try run.get(\.output.descriptor).write($0) }
            }
            return true
        } catch {
            stop(task, run, error)
            return false
        }
    }
}

// Buffered bodies.
extension RunDelegate {
    /// Writes a buffered body that is complete and verified, now or in the task's turn.
    func handOver(_ run: TaskRun) {
        guard let body = run.bufferedBody, run.get(\.isWhole) else { return }
        body.complete()
        guard run.turn?.hasBegun ?? true else { return }
        do {
            try body.write(to: run.get(\.output.descriptor))
        } catch {
            run.note(error)
        }
    }

    /// Begins the task's turn, and writes the bytes that were buffered before it.
    func takeTurn(_ run: TaskRun, in session: URLSession) {
        guard let turn = run.turn else { return }
        if run.bufferedBody?.isWhole != true, !mayWait(run), turn.beginsAtOnce() {
            try? run.openAwaitedOutput(device)
            return
        }
        session.queue.handOff { [self] in take(turn, run) }
    }

    private func take(_ turn: OutputTurn, _ run: TaskRun) {
        turn.begin { buffered in
            do {
                try run.openAwaitedOutput(device)
                let output = run.get(\.output.descriptor)
                for data in buffered { try data.withUnsafeBytes { try output.write($0) } }
                if let body = run.bufferedBody, body.isWhole { try body.write(to: output) }
            } catch {
                run.note(error)
            }
        }
    }
}
