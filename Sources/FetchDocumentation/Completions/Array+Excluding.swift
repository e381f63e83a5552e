import FetchCommand

extension [Flag] {
    /// The flags that cannot be obeyed with one.
    func excluded(by flag: Flag) -> [Flag] {
        filter { !Set(flag.excludes).isDisjoint(with: $0.names) }
    }
}
