# Everything here can be had without make: see Scripts.

PREFIX ?= /usr/local
DESTDIR ?=
bindir = $(DESTDIR)$(PREFIX)/bin
mandir = $(DESTDIR)$(PREFIX)/share/man
bashdir = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zshdir = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
fishdir = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
unitdir = $(DESTDIR)$(PREFIX)/lib/systemd/user
unit = fetch-background.service

executable = .build/release/fetch
pages = $(wildcard man/*.[1-9])

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
	@test -x $(executable) || { echo 'make install: run make first' >&2; exit 1; }
	install -D -m 755 $(executable) '$(bindir)/fetch'
	$(foreach page,$(pages),install -D -m 644 $(page) '$(mandir)/man$(subst .,,$(suffix $(page)))/$(notdir $(page))';)
	test ! -f completions/fetch.bash || install -D -m 644 completions/fetch.bash '$(bashdir)/fetch'
	test ! -f completions/_fetch || install -D -m 644 completions/_fetch '$(zshdir)/_fetch'
	test ! -f completions/fetch.fish || \
		install -D -m 644 completions/fetch.fish '$(fishdir)/fetch.fish'
	install -d '$(unitdir)'
	sed 's|@bindir@|$(PREFIX)/bin|' contrib/systemd/$(unit).in >'$(unitdir)/$(unit)'
	chmod 644 '$(unitdir)/$(unit)'

uninstall:
	rm -f '$(bindir)/fetch' '$(bashdir)/fetch' '$(zshdir)/_fetch' '$(fishdir)/fetch.fish' '$(unitdir)/$(unit)'
	$(foreach page,$(pages),rm -f '$(mandir)/man$(subst .,,$(suffix $(page)))/$(notdir $(page))';)

clean:
	swift package clean
