import Glibc

// The variable FUZZ_TARGET names the target, so that the processes which libFuzzer starts (as for
// -minimize_crash=1) have the same; without it the names of all targets are printed. All arguments
// are libFuzzer's own (https://llvm.org/docs/LibFuzzer.html#options).

/// libFuzzer's loop: the program keeps its own `main`, so that one binary holds all targets.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ runOne: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target that runs.
private enum Chosen {
    // Set once, before libFuzzer starts the one thread that reads it.
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
