import FoundationEssentials
import Synchronization

// How tasks come into a session, and leave it.
extension URLSession {
    /// Makes a task and keeps it until it has ended; in an invalid session it has ended already.
    func make<Task: URLSessionTask>(_ make: (_ identifier: Int) -> Task) -> Task {
        let watches = attachment?.watches == true
        let (task, isAccepted, failure) = locked.withLock { locked in
            // Numbers are for those who make tasks.
            let (identifier, isAccepted) = watches ? (0, false) : locked.lifecycle.addTask()
            let task = make(identifier)
            if isAccepted {
                if let attachment { task.moveElsewhere(attachment) }
                locked.tasks[identifier] = task
            }
            return (task, isAccepted, locked.failure)
        }
        if !isAccepted {
            let ended =
                watches
                ? URLError(.resourceUnavailable, detail: "a session that looks on makes no tasks")
                : URLError(.cancelled, detail: "the session has been invalidated")
            task.apply { $0.lifecycle.cancel(failure ?? ended) }
        } else if let attachment {
            hand(task, to: attachment)
        }
        if isAccepted { taskDelegate?.urlSession(self, didCreateTask: task) }
        return task
    }

    /// Makes the task that another one, which has not ended, becomes, and keeps it.
    ///
    /// - Parameter make: makes it of its identifier.
    /// - Returns: the task, and whether it is to be cancelled with all the others.
    func makeSuccessor<Task: URLSessionTask>(
        _ make: (_ identifier: Int) -> Task
    ) -> (Task, isCancelled: Bool) {
        locked.withLock { locked in
            let identifier = locked.lifecycle.addSuccessor()
            let task = make(identifier)
            locked.tasks[identifier] = task
            return (task, locked.cancelsTasks)
        }
    }

    /// A task's last call has returned.
    func taskEnded(_ task: URLSessionTask) {
        locked.withLock { locked in
            guard locked.tasks.removeValue(forKey: task.taskIdentifier) != nil else { return }
            act(locked.lifecycle.taskEnded())
        }
    }
}
