// Tasks that send again the request with which another task of the session has failed: the one that
// a redirect led to, where one did. What belongs to the first request still does: its origin is the
// one that is at home, resume data is of its URL, and redirects go on being counted.
extension URLSession {
    /// Makes a data task that sends the last request of another task again.
    ///
    /// - Parameters:
    ///   - task: one that has ended.
    ///   - change: what is to be asked otherwise.
    /// - Returns: the task, suspended.
    package func dataTask(
        repeating task: URLSessionTask,
        change: (inout URLRequest) -> Void = { _ in }
    ) -> URLSessionDataTask {
        var standing = task.standing
        change(&standing.request)
        return make { [standing] identifier in
            URLSessionDataTask(
                identifier,
                task.originalRequest ?? standing.request,
                body: standing.body,
                output: .delegates,
                in: self,
                at: standing
            )
        }
    }

    /// Makes an upload task that sends the last request of another task again, with its body if it
    /// had one; the delegate is asked for what can be read once.
    ///
    /// - Parameter task: one that has ended.
    /// - Returns: the task, suspended.
    package func uploadTask(repeating task: URLSessionTask) -> URLSessionUploadTask {
        let standing = task.standing
        return make { identifier in
            URLSessionUploadTask(
                identifier,
                task.originalRequest ?? standing.request,
                body: standing.body,
                output: .delegates,
                in: self,
                at: standing
            )
        }
    }

    /// Makes a download task that sends the last request of another task again.
    ///
    /// - Parameters:
    ///   - task: one that has ended.
    ///   - data: what has come of the file, if any of it is to be kept.
    /// - Returns: the task, suspended.
    package func downloadTask(
        repeating task: URLSessionTask,
        continuing data: ResumeData?
    ) -> URLSessionDownloadTask {
        var standing = task.standing
        var first = task.originalRequest ?? standing.request
        if data != nil {
            // There is a body by now, and it is the rest of it that is asked for.
            first.removeAnsweredConditions()
            standing.request.removeAnsweredConditions()
        }
        let beginning: TaskLifecycle.Beginning =
            data.map { self.beginning(of: first, $0) } ?? .atFirstByte
        return make { [first, standing] identifier in
            URLSessionDownloadTask(
                identifier,
                first,
                body: standing.body,
                output: .delegates,
                in: self,
                beginning: beginning,
                at: standing
            )
        }
    }
}
