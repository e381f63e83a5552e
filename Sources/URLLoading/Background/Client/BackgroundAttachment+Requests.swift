import FoundationEssentials

// Requests of the program. Only `waitUntilStored()` blocks; the rest may be called under a task's lock.
extension BackgroundAttachment {
    /// Takes a new task as a draft, or ends it with the error.
    ///
    /// The draft is sent with a request for it or a later task, or at the end.
    nonisolated func take(_ task: URLSessionTask) {
        let record: BackgroundTaskRecord
        do throws(URLError) {
            let settings = task.session.settings
            record = try task.draft().record(task.taskIdentifier, settings, at: task.created)
        } catch {
            task.endInTransferProcess(error)
            return
        }
        post { attachment in
            guard attachment.phase != .over else { return }
            attachment.lastKnown = max(attachment.lastKnown, record.identifier)
            attachment.requests.draft(record, of: task)
        }
    }

    /// Queues a request for one task, in the order of the calls.
    nonisolated func request(_ request: BackgroundRequest, for task: Int) {
        post { $0.take(request, task) }
    }

    private func take(_ request: BackgroundRequest, _ task: Int) {
        guard phase != .over else { return }
        if requests.isDraft(task) {
            switch request {
            case .resume:
                commit(upTo: task, resuming: task)
                return flushSoon()
            case .cancel:
                requests.drop(task)?.endInTransferProcess(URLError(.cancelled))
                return
            default: commit(upTo: task)
            }
        }
        requests.add(request)
        flushSoon()
    }

    nonisolated func commitAll() {
        post { attachment in
            attachment.commit(upTo: nil)
            attachment.flushSoon()
        }
    }

    func commit(upTo last: Int?, resuming resumed: Int? = nil) {
        requests.commit(upTo: last) { record, task in
            // Made and resumed by one request: no crash leaves the task held.
            record.startsResumed = record.identifier == resumed
            guard let task else { return }
            task.reportStartOver()
            record.priority = task.priority
            record.taskDescription = task.taskDescription
        }
    }

    /// Waits until the transfer process has all earlier requests on disk.
    ///
    /// Once this returns, the program may end or be killed. It must not be called under a task's lock. The
    /// wait ends after `dependencies.timeout`, or at once if the disk is full. Requests that are not stored
    /// by then are sent again while the program runs.
    nonisolated func waitUntilStored() {
        let stored = BlockingWait<Void>()
        post { attachment in
            attachment.storageWaits.append(stored)
            attachment.flush()
        }
        stored.wait(atMost: dependencies.timeout)
    }

    /// Ends the waits in ``waitUntilStored()`` if nothing is left to wait for.
    func signalIfStored() {
        guard requests.isStored || hasPausedRequests || phase == .over else { return }
        for stored in storageWaits { stored.end(()) }
        storageWaits = []
    }

    /// Sends the queued requests at the end of this iteration of the queue.
    func flushSoon() {
        guard !isFlushing else { return }
        isFlushing = true
        post { attachment in
            attachment.isFlushing = false
            attachment.flush()
        }
    }

    func flush() {
        guard phase == .attached, !hasPausedRequests else { return signalIfStored() }
        while let request = requests.next() {
            do throws(FrameError) {
                try client?.send(request)
            } catch {
                // The request has a single task: a batch of several tasks fits into a frame.
                requests.replyReceived()
                guard case .make(let tasks, _) = request else { continue }
                let words = "the request is too long for a background session"
                for task in tasks {
                    session?.task(task.identifier)?.endInTransferProcess(
                        URLError(.dataLengthExceedsMaximum, detail: words)
                    )
                }
            }
        }
        updateReading()
        signalIfStored()
        concludeIfDone()
    }

    /// Pauses the requests, because the disk is full.
    func pauseRequests() {
        requests.requeueSent()
        guard !hasPausedRequests else { return }
        hasPausedRequests = true
        signalIfStored()
        post(after: dependencies.retryInterval) { attachment in
            attachment.hasPausedRequests = false
            attachment.flush()
        }
    }

    /// Asks the delegate for a credential, once for each place even if the challenge is repeated.
    func ask(_ task: Int, _ challenge: ChallengeRecord) {
        let place = challenge.place
        guard let asked = session?.task(task),
            asking[task, default: []].insert(place).inserted
        else { return }
        asked.ask(challenge) { [weak self] disposition, credential in
            self?.post { attachment in
                attachment.asking[task]?.remove(place)
                if attachment.asking[task]?.isEmpty == true { attachment.asking[task] = nil }
                attachment.send(
                    .answer(
                        task: task,
                        disposition: disposition.rawValue,
                        user: credential?.user,
                        password: credential?.password ?? credential?.keyPassword,
                        identity: credential?.identity?.absolute,
                        place: place
                    )
                )
            }
        }
    }
}
