/// When a person is asked for a user and a password.
enum AskingChoice: Sendable {
    /// Where nothing else knows them, and there is somebody to ask.
    case ifNeeded
    /// `--ask-password`: before anything is looked for.
    case always
    /// `--no-ask-password`
    case never
}
