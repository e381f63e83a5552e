/// A library that reports, at the very end of a process, whether OpenSSL is still usable.
///
/// Preloaded by `LD_PRELOAD`, it registers its exit handler first, so that the handler runs last. After
/// OpenSSL's own exit handler, where it exists, OpenSSL refuses to initialize again.
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

    /// Compiles the library into a folder; returns its path.
    public static func make(in folder: TemporaryFolder) throws -> String {
        _ = try folder.write(source, to: "observer.c")
        try Tool.run("clang -shared -fPIC -o observer.so observer.c", in: folder)
        return folder.path("observer.so")
    }
}
