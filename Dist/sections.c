// Says in object files, and archives of them, what the linker needs to know to leave code out.
//
//   sections FILE...      each is changed in place
//
// Swift marks a third of its functions as retained, for the case that something outside looks them up. In an
// executable that exports nothing, a function can be reached through a reference alone, which the linker
// follows. What the runtime finds by its section (swift5_...) stays retained.
//
// Functions of the same code become one where no function's address is compared. Clang lists in each object the
// functions whose addresses count; Swift, which compares none, writes no list, and the linker then takes all
// to be on it. An empty list takes the place of .note.GNU-stack, which lld does not read.

#include <ar.h>
#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static const Elf64_Word address_significance = 0x6fff4c03;
static const Elf64_Xword retained = 0x200000;

static _Noreturn void fail(const char *file, const char *why) {
    fprintf(stderr, "sections: %s: %s\n", file, why);
    exit(1);
}

static bool begins(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static void change(const char *file, char *object, size_t size) {
    Elf64_Ehdr *header = (Elf64_Ehdr *)object;
    if (size < sizeof *header || memcmp(object, ELFMAG, SELFMAG) != 0) return;
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_type != ET_REL) return;
    if (header->e_shoff > size - sizeof(Elf64_Shdr)) fail(file, "an object is cut short");
    Elf64_Shdr *sections = (Elf64_Shdr *)(object + header->e_shoff);
    size_t count = header->e_shnum ? header->e_shnum : sections[0].sh_size;
    size_t strings = header->e_shstrndx == SHN_XINDEX ? sections[0].sh_link : header->e_shstrndx;
    if (count > (size - header->e_shoff) / sizeof *sections || strings >= count)
        fail(file, "an object is cut short");
    const char *names = object + sections[strings].sh_offset;

    bool swift = false, listed = false;
    Elf64_Word symbols = 0;
    Elf64_Shdr *stack = NULL;
    for (size_t i = 1; i < count; i++) {
        const char *name = names + sections[i].sh_name;
        if (*name == '.') sections[i].sh_flags &= ~retained;
        if (strcmp(name, ".eh_frame") == 0) sections[i].sh_flags |= SHF_EXCLUDE;
        swift |= begins(name, "swift5_") || begins(name, ".swift");
        listed |= sections[i].sh_type == address_significance;
        if (sections[i].sh_type == SHT_SYMTAB) symbols = i;
        if (strcmp(name, ".note.GNU-stack") == 0 && sections[i].sh_size == 0) stack = &sections[i];
    }
    if (!swift || listed || !stack || !symbols) return;
    stack->sh_type = address_significance;
    stack->sh_flags = SHF_EXCLUDE;
    stack->sh_link = symbols;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        int descriptor = open(argv[i], O_RDWR | O_CLOEXEC);
        struct stat status;
        if (descriptor < 0 || fstat(descriptor, &status) != 0) fail(argv[i], "cannot be read");
        size_t size = (size_t)status.st_size;
        char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
        if (bytes == MAP_FAILED) fail(argv[i], "cannot be mapped");
        if (size < SARMAG || memcmp(bytes, ARMAG, SARMAG) != 0) {
            change(argv[i], bytes, size);
            continue;
        }
        for (size_t offset = SARMAG; offset + sizeof(struct ar_hdr) <= size;) {
            struct ar_hdr *member = (struct ar_hdr *)(bytes + offset);
            offset += sizeof *member;
            size_t length = strtoul(member->ar_size, NULL, 10);
            if (length > size - offset) fail(argv[i], "the archive is cut short");
            change(argv[i], bytes + offset, length);
            offset += length + length % 2;
        }
    }
    return 0;
}
