import Glibc

// The variable FUZZ_TARGET selects the target, because processes that libFuzzer starts (for
// -minimize_crash=1) inherit it. Without it, the names of all targets are printed. All arguments
// are libFuzzer's (https://llvm.org/docs/LibFuzzer.html#options).

/// libFuzzer's loop, called from the program's own `main`: one binary contains all targets.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ runOne: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The selected target.
private enum Chosen {
    // Set once, before libFuzzer starts the only thread that reads it.
    nonisolated(unsafe) static var run: @Sendable (FuzzInput) -> Void = { _ in }
}

guard let name = getenv("FUZZ_TARGET").map({ String(cString: $0) }) else {
    for target in FuzzTarget.all { print(target.name) }
    exit(0)
}
guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    fatalError("there is no target \(name)")
}
Chosen.run = target.run
var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
    runDriver(&count, &arguments) { start, count in
        Chosen.run(FuzzInput(bytes: Array(UnsafeBufferPointer(start: start, count: count))))
        return 0
    }
)
