// Tasks that send again the request with which another task of the session has failed: the one that
// a redirect led to, where one did. What belongs to the first request still does: its origin is the
// one that is at home, resume data is of its URL, and redirects go on being counted.
extension URLSession {
    /// Makes a data task that sends the last request of another task again.
    ///
    /// - Parameters:
    ///   - task: one that has ended.
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

    /// Makes an upload task that sends the last request of another task again, with its body if it
    /// had one; the delegate is asked for what can be read once.
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

    /// Makes a download task that sends the last request of another task again.
    ///
    /// - Parameters:
    ///   - task: one that has ended.
    ///   - data: the resume data of the file, if its part is used.
    /// - Returns: the task, suspended.
    package func downloadTask(
        repeating task: URLSessionTask,
        continuing data: ResumeData?
    ) -> URLSessionDownloadTask {
        var snapshot = task.snapshot
        var first = task.originalRequest ?? snapshot.request
        if data != nil {
            // There is a body by now, and it is the rest of it that is asked for.
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
