import TestSupport
import Testing

@testable import URLLoading

/// What a program wants of its transfer process, until that has it on its disk.
@Suite("Background orders")
struct BackgroundRequestQueueTests {
    @Test("tasks are made in the order of their numbers, those before a resumed one too")
    func drafts() {
        var orders = BackgroundRequestQueue()
        for number in 1...3 { orders.draft(taskRecord(number)) }
        #expect(orders.next() == nil)
        orders.commit(upTo: 2) { $0.priority = 1 }
        orders.add(.resume(tasks: [2]))
        #expect(
            orders.next() == .make(tasks: [taskRecord(1, priority: 1), taskRecord(2, priority: 1)])
        )
        #expect(orders.isDraft(3))
        #expect(orders.drafts(upTo: 3) == [3])
        // What concerns them waits.
        #expect(orders.next() == nil)
        queue.replyReceived()
        #expect(orders.next() == .resume(tasks: [2]))
        #expect(!orders.isStored)
        queue.replyReceived()
        #expect(orders.isStored)
    }

    @Test("long tasks go into as many requests as they need, and one alone always goes")
    func longTasks() {
        var task = taskRecord(1)
        task.configuration = String(repeating: "c", count: 400 << 10)
        let tasks = [task, task, task]
        #expect(BackgroundBatch.first(of: tasks[...]).count == 2)
        task.configuration = String(repeating: "c", count: 2 << 20)
        #expect(BackgroundBatch.first(of: [task, task][...]).count == 1)
        #expect(BackgroundBatch.first(of: [taskRecord(1)][0..<0]).isEmpty)
    }

    @Test(
        "what a command wants of its tasks they keep to themselves, and the session takes the rest"
    )
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

    @Test("what is alike is said together, and what is not in its order")
    func batches() {
        var orders = BackgroundRequestQueue()
        for number in 1...3 { orders.add(.resume(tasks: [number])) }
        orders.add(.suspend(tasks: [2]))
        orders.add(.resume(tasks: [2]))
        orders.draft(taskRecord(4))
        orders.commit { _ in }
        // No order concerns a task that is not made yet.
        var said: [BackgroundRequest] = []
        while let request = orders.next() {
            #expect(orders.next() == nil)
            said.append(request)
            queue.replyReceived()
        }
        #expect(
            said == [
                .make(tasks: [taskRecord(4)]), .resume(tasks: [1, 2, 3]), .suspend(tasks: [2]),
                .resume(tasks: [2]),
            ]
        )
    }

    @Test("what was not answered is said again, before what waits")
    func again() {
        var orders = BackgroundRequestQueue()
        orders.draft(taskRecord(1))
        orders.commit { _ in }
        #expect(orders.next() == .make(tasks: [taskRecord(1)]))
        orders.add(.resume(tasks: [1]))
        orders.takeBack()
        #expect(orders.next() == .make(tasks: [taskRecord(1)]))
        queue.replyReceived()
        #expect(orders.next() == .resume(tasks: [1]))
        orders.takeBack()
        orders.add(.cancel(tasks: [1]))
        #expect(orders.next() == .resume(tasks: [1]))
        queue.replyReceived()
        #expect(orders.next() == .cancel(tasks: [1]))
    }

    @Test("a request says no more than a frame takes, and at least one thing")
    func sizes() {
        var orders = BackgroundRequestQueue()
        for number in 1...3 {
            var record = taskRecord(number)
            record.request.fields = [["X-Long", String(repeating: "x", count: 700_000 * number)]]
            orders.draft(record)
        }
        orders.commit { _ in }
        for number in 1...3 {
            guard case .make(let tasks, _)? = orders.next() else {
                Issue.record("it is to be made")
                return
            }
            #expect(tasks.map(\.identifier) == [number])
            queue.replyReceived()
        }
    }
}
