// Tasks that repeat the last request of a failed task, which may be a redirect's target. They keep the
// state of the first request: its origin is the home origin, resume data has its URL, and the count of
// redirects continues.
extension URLSession {
    /// Creates a data task that sends the last request of another task again.
    ///
    /// - Parameters:
    ///   - task: a task that has ended.
    ///   - change: changes to the request.
    /// - Returns: the task, suspended.
    package func dataTask(
        repeating task: URLSessionTask,
        change: (inout URLRequest) -> Void = { _ in }
    ) -> URLSessionDataTask {
        var snapshot = task.snapshot
        change(&snapshot.request)
        return make { [snapshot] identifier in
            URLSessionDataTask(
                identifier,
                task.originalRequest ?? snapshot.request,
                body: snapshot.body,
                output: .delegates,
                in: self,
                at: snapshot
            )
        }
    }

    /// Creates an upload task that sends the last request of another task again, with its body if any; the
    /// task asks the delegate for a new stream.
    ///
    /// - Returns: the task, suspended.
    package func uploadTask(repeating task: URLSessionTask) -> URLSessionUploadTask {
        let snapshot = task.snapshot
        return make { identifier in
            URLSessionUploadTask(
                identifier,
                task.originalRequest ?? snapshot.request,
                body: snapshot.body,
                output: .delegates,
                in: self,
                at: snapshot
            )
        }
    }

    /// Creates a download task that sends the last request of another task again.
    ///
    /// - Parameters:
    ///   - task: a task that has ended.
    ///   - data: the resume data of the partial file; `nil`: start at the first byte.
    /// - Returns: the task, suspended.
    package func downloadTask(
        repeating task: URLSessionTask,
        continuing data: ResumeData?
    ) -> URLSessionDownloadTask {
        var snapshot = task.snapshot
        var first = task.originalRequest ?? snapshot.request
        if data != nil {
            // The first response has satisfied the conditions; the request for the rest has none.
            first.removeSatisfiedConditions()
            snapshot.request.removeSatisfiedConditions()
        }
        let beginning: TaskLifecycle.Beginning =
            data.map { self.beginning(of: first, $0) } ?? .atFirstByte
        return make { [first, snapshot] identifier in
            URLSessionDownloadTask(
                identifier,
                first,
                body: snapshot.body,
                output: .delegates,
                in: self,
                beginning: beginning,
                at: snapshot
            )
        }
    }
}
