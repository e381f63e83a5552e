import TestSupport
import Testing

@testable import URLLoading

/// Requests of a program, until the transfer process has them on the disk.
@Suite("Request queue of a background session")
struct BackgroundRequestQueueTests {
    @Test("tasks are made in the order of their numbers, also those before a resumed one")
    func drafts() {
        var queue = BackgroundRequestQueue()
        for number in 1...3 { queue.draft(taskRecord(number)) }
        #expect(queue.next() == nil)
        queue.commit(upTo: 2) { record, _ in record.priority = 1 }
        queue.add(.resume(tasks: [2]))
        #expect(
            queue.next() == .make(tasks: [taskRecord(1, priority: 1), taskRecord(2, priority: 1)])
        )
        #expect(queue.isDraft(3))
        #expect(queue.drafts(upTo: 3) == [3])
        // Requests for these tasks wait.
        #expect(queue.next() == nil)
        queue.replyReceived()
        #expect(queue.next() == .resume(tasks: [2]))
        #expect(!queue.isStored)
        queue.replyReceived()
        #expect(queue.isStored)
    }

    @Test("long tasks take several requests, each with at least one task")
    func longTasks() {
        var task = taskRecord(1)
        task.configuration = String(repeating: "c", count: 400 << 10)
        let tasks = [task, task, task]
        #expect(BackgroundBatch.first(of: tasks[...]).count == 2)
        task.configuration = String(repeating: "c", count: 2 << 20)
        #expect(BackgroundBatch.first(of: [task, task][...]).count == 1)
        #expect(BackgroundBatch.first(of: [taskRecord(1)][0..<0]).isEmpty)
    }

    @Test("a command's transfer settings apply to its tasks only, and others to the session")
    func taking() {
        var known = sessionSettings()
        known.configuration = "known"
        var wanted = sessionSettings(command: "true")
        wanted.configuration = "wanted"
        wanted.isDiscretionary = true
        var tasks = [taskRecord(1)]
        var next = known.taking(wanted, for: &tasks)
        #expect(tasks[0].configuration == "wanted")
        #expect(next.configuration == "known")
        #expect(next.command == "true")
        #expect(next.isDiscretionary)
        wanted.isDiscretionary = false
        wanted.configuration = "known"
        tasks = [taskRecord(1)]
        next = next.taking(wanted, for: &tasks)
        #expect(!next.isDiscretionary)
        #expect(tasks[0].configuration == nil)
    }

    @Test("requests of the same kind are combined, and others keep their order")
    func batches() {
        var queue = BackgroundRequestQueue()
        for number in 1...3 { queue.add(.resume(tasks: [number])) }
        queue.add(.suspend(tasks: [2]))
        queue.add(.resume(tasks: [2]))
        queue.draft(taskRecord(4))
        queue.commit { _, _ in }
        // Tasks are made before requests that name them.
        var sent: [BackgroundRequest] = []
        while let request = queue.next() {
            #expect(queue.next() == nil)
            sent.append(request)
            queue.replyReceived()
        }
        #expect(
            sent == [
                .make(tasks: [taskRecord(4)]), .resume(tasks: [1, 2, 3]), .suspend(tasks: [2]),
                .resume(tasks: [2]),
            ]
        )
    }

    @Test("a request without a reply is repeated before the waiting requests")
    func again() {
        var queue = BackgroundRequestQueue()
        queue.draft(taskRecord(1))
        queue.commit { _, _ in }
        #expect(queue.next() == .make(tasks: [taskRecord(1)]))
        queue.add(.resume(tasks: [1]))
        queue.requeueSent()
        #expect(queue.next() == .make(tasks: [taskRecord(1)]))
        queue.replyReceived()
        #expect(queue.next() == .resume(tasks: [1]))
        queue.requeueSent()
        queue.add(.cancel(tasks: [1]))
        #expect(queue.next() == .resume(tasks: [1]))
        queue.replyReceived()
        #expect(queue.next() == .cancel(tasks: [1]))
    }

    @Test("a request fits into a frame, and has at least one task")
    func sizes() {
        var queue = BackgroundRequestQueue()
        for number in 1...3 {
            var record = taskRecord(number)
            let long = String(repeating: "x", count: 700_000 * number)
            record.request.fields = StoredHeader(HTTPHeaderFields(["X-Long": long]))
            queue.draft(record)
        }
        queue.commit { _, _ in }
        for number in 1...3 {
            guard case .make(let tasks, _)? = queue.next() else {
                Issue.record("it is to be made")
                return
            }
            #expect(tasks.map(\.identifier) == [number])
            queue.replyReceived()
        }
    }
}
