import TestSupport
import Testing

/// Checks the list of embedded parts, and the script that finds outdated ones.
@Suite struct EmbeddedPartTests {
    @Test func thePageListsThePartsThatTheScriptsPrint() throws {
        let libraries = try Repository.text(of: "Scripts/libcurl")
            .matches(of: #/(?m)^ +([a-z0-9 |]+)\) echo /#)
            .flatMap { $0.1.split(whereSeparator: { " |".contains($0) }) }
        let script = try Repository.text(of: "Scripts/embedded")
        let looped = script.matches(of: /for name in ([^;]+); do/)
            .flatMap { $0.1.split(separator: " ") }
        let single = script.matches(of: #/echo "(swift-[a-z]+) /#).map(\.1)
        #expect(libraries.count == 7 && looped.count == 6 && single.count == 3)
        let rows = try Page("docs/self-contained.md").rows(under: "What is embedded")
        let listed = rows.flatMap { Page(name: "cell", text: $0[0]).spans }
        #expect(listed.sorted() == (libraries + looped + single).map(String.init).sorted())
    }

    @Test func outdatedEntriesAreThoseThatAptHasNewer() async throws {
        let folder = try TemporaryFolder("embedded")
        try folder.write(
            """
            needs glibc 2.36
            curl 7.88.1-10+deb12u5 curl
            libgcc 12.2.0-14 GPL-3.0-or-later WITH GCC-exception-3.1
            swift swift-6.2-RELEASE Apache-2.0 WITH Swift-exception
            zlib 1:1.2.13-1 Zlib

            """,
            to: "EMBEDDED"
        )
        // A version in parentheses is the source's, where a package was only built again.
        try folder.write(
            """
            Package: libcurl4
            Source: curl
            Version: 7.88.1-10+deb12u14

            Package: libgcc-12-dev
            Source: gcc-12 (12.2.0-14+deb12u1)
            Version: 12.2.0-14+deb12u1+b1

            Package: zlib
            Version: 1:1.2.13-1

            Package: zlib1g
            Source: zlib (1:1.2.13-1)
            Version: 1:1.2.13-1+b1


            """,
            to: "available"
        )
        let result = try await FetchProcess.shell(
            """
            mkdir bin && printf '#!/bin/sh\\ncat available\\n' >bin/apt-cache && chmod +x bin/apt-cache
            PATH=$PWD/bin:$PATH exec "$1" EMBEDDED
            """,
            Repository.path("Scripts/embedded-outdated"),
            in: folder
        )
        #expect(result.status == 1, "\(result)")
        #expect(
            result.stdoutText == """
                curl 7.88.1-10+deb12u5: apt offers 7.88.1-10+deb12u14
                libgcc 12.2.0-14: apt offers 12.2.0-14+deb12u1

                """
        )
    }
}
