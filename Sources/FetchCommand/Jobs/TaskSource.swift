import SystemPackage
import URLLoading

/// A run's tasks, one after the other: those of the command line, and then what a file lists.
@MainLoop
struct TaskSource {
    /// What comes next.
    enum Next {
        case task(TaskPlan)
        /// Something of the list is no task: what it comes to, and what to say about it.
        case flaw(ExitStatus, String, hint: String?)
        case end
        case interrupted(Interruption)
    }

    private var planned: [TaskPlan].Iterator
    private let list: URLList?
    private var planner: TaskPlanner

    /// - Parameters:
    ///   - plan: the command line's.
    ///   - list: what it names.
    init(_ plan: Plan, _ list: URLList?) {
        planned = plan.tasks.makeIterator()
        planner = plan.planner
        self.list = list
    }

    /// Takes the next task, once there is one.
    ///
    /// - Parameter waiter: whose wait it is.
    /// - Returns: the task.
    mutating func next(_ waiter: Waiter) async -> Next {
        if let task = planned.next() { return .task(task) }
        guard let list else { return .end }
        while true {
            switch list.next() {
            case .line(let line):
                switch line.content {
                case .url(let url): return task(url, line.number, of: list)
                case .flaw(let reason):
                    return .flaw(.usage, Self.place(list, line.number) + reason, hint: nil)
                }
            case .end: return .end
            case .failed(let error):
                return .flaw(.fileIO, Printable.text("\(error)"), hint: nil)
            case .wait:
                let descriptor = list.descriptor.rawValue
                switch await waiter.wait(until: nil, readable: descriptor) {
                case .bell, .late: break
                case .interruption(let why): return .interrupted(why)
                }
            }
        }
    }

    private mutating func task(_ url: String, _ line: Int, of list: URLList) -> Next {
        let place = Self.place(list, line)
        if planner.refuses(listed: ListEntry.url(of: url)) {
            return .flaw(
                .localPolicy,
                place + "a file: URL of a list is refused",
                hint: "--allow-file-urls has it fetched"
            )
        }
        do throws(PlanError) {
            return .task(try planner.plan(line: url))
        } catch {
            switch error {
            case .usage(let error):
                return .flaw(.usage, place + error.message, hint: error.hint)
            case .file(let failure): return .flaw(.fileIO, place + failure.message, hint: nil)
            }
        }
    }

    private static func place(_ list: URLList, _ line: Int) -> String {
        "\(Printable.text(list.name)):\(line): "
    }
}
