/// A library that tells, at the very end of a process, whether OpenSSL can still be used.
///
/// Preloaded by `LD_PRELOAD`, it registers its exit handler before all others, so that it is called
/// after all others. After OpenSSL's own, where there is one, OpenSSL refuses to begin again.
public enum ExitObserver {
    private static let source = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        static void tell(void) {
            int (*begin)(uint64_t, const void *) = dlsym(RTLD_DEFAULT, "OPENSSL_init_crypto");
            dprintf(2, "OpenSSL %s\n", begin && begin(0, NULL) == 1 ? "works" : "is gone");
        }
        __attribute__((constructor)) static void prepare(void) { atexit(tell); }
        """#

    /// Compiles it into a folder; returns the library's path.
    public static func make(in folder: TemporaryFolder) throws -> String {
        _ = try folder.write(source, to: "observer.c")
        try Tool.run("clang -shared -fPIC -o observer.so observer.c", in: folder)
        return folder.path("observer.so")
    }
}
