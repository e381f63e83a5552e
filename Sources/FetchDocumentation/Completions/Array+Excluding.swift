import FetchCommand

extension [Flag] {
    /// The flags that cannot be obeyed with one.
    func excluded(by flag: Flag) -> [Flag] {
        filter { $0.isExcluded(by: flag) }
    }
}
