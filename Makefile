# Everything here can be had without make: see Scripts.

PREFIX ?= /usr/local
DESTDIR ?=

executable = .build/release/fetch

.PHONY: all release self-contained dist deb docc test test-self-contained fuzz bench lint format docs install uninstall clean

# What is installed and measured.
all release:
	Scripts/build

# Needs glibc alone; docs/self-contained.md says what is in it.
self-contained:
	Scripts/build --self-contained

# The self-contained edition as an archive; Scripts/dist --verify proves that its bytes follow from
# the tree.
dist:
	Scripts/dist

# The ordinary edition for Debian; `Scripts/package-deb --check` installs and runs it in a new root.
deb:
	Scripts/package-deb

test:
	Scripts/test

# The whole suite with the self-contained edition in the place of the one that the tests' build makes.
test-self-contained: self-contained
	FETCH_EXECUTABLE='$(CURDIR)/.build/self-contained/fetch' Scripts/test

# A few seconds of each; for more: Fuzz/README.md
fuzz: release
	Scripts/fuzz
	Scripts/fuzz program 60

# For less of it: Benchmarks/run --help
bench: release
	Scripts/setup bench
	Benchmarks/run

lint:
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Fuzz Examples

format:
	swift format --in-place --parallel --recursive Package.swift Sources Tests Fuzz Examples

# The first run writes man page and completions anew where they are out of date, and fails then; the
# second one says whether all is well now.
docs:
	FETCH_RECORD=1 Scripts/test --filter GeneratedFileTests || true
	Scripts/test --filter GeneratedFileTests

# The library's documentation, in .build/docc.
docc:
	Scripts/docc

# Builds nothing, so that `sudo make install` leaves no files of root in the build folder.
install:
	Scripts/install $(executable) '$(DESTDIR)$(PREFIX)' '$(PREFIX)'

uninstall:
	Scripts/install --remove '$(DESTDIR)$(PREFIX)'

clean:
	swift package clean
