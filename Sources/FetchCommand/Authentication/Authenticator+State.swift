import URLLoading

extension Authenticator {
    /// A part of a server, and who one is there: what a password can be refused for.
    struct Place: Hashable {
        let origin: String
        let realm: String?
        let user: String?
    }

    /// What one search is for: the key store knows methods too.
    struct Wanted: Hashable {
        let place: Place
        let method: String
    }

    struct Waiter {
        let task: Int
        let run: TaskRun
        let answer: Answer

        init(task: Int, _ run: TaskRun, _ answer: @escaping Answer) {
            self.task = task
            self.run = run
            self.answer = answer
        }
    }

    struct Flight {
        var waiters: [Waiter]
        let end: Doorbell
    }

    /// What a task has sent, and not yet heard of.
    struct Sent {
        let place: Place
        let space: URLProtectionSpace
        let found: FoundCredential
    }

    struct State {
        var histories: [Place: CredentialHistory] = [:]
        var flights: [Wanted: Flight] = [:]
        var sent: [Int: [Sent]] = [:]
        /// What was refused of that, by task.
        var refused: [Int: [Sent]] = [:]
    }
}

extension Authenticator.State {
    /// What has come of credentials at a place, with what a method without a realm has come to there.
    func history(_ place: Authenticator.Place) -> CredentialHistory {
        var history = histories[place] ?? CredentialHistory()
        for (other, theirs) in histories
        where other != place && other.origin == place.origin && other.user == place.user
            && (other.realm == nil || place.realm == nil)
        {
            for found in theirs.refused { history.refuse(found) }
        }
        return history
    }
}
