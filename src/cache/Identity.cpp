//===- Identity.cpp - Which build of the compiler this is ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/Identity.h"

#include "cache/BuildIdentity.inc"
#include "cache/Bytes.h"
#include "cache/Key.h"

#include <algorithm>
#include <link.h>
#include <sys/stat.h>

using namespace tilewright;
using namespace tilewright::cache;

/// The build id that the linker left in a loaded module's notes (elf(5), NT_GNU_BUILD_ID); empty if
/// it left none.
static std::string_view buildIdOf(const dl_phdr_info &module) {
  auto align = [](size_t size) { return (size + 3) & ~size_t(3); };
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = module.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    const char *at = reinterpret_cast<const char *>(module.dlpi_addr + segment.p_vaddr);
    const char *end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto *note = reinterpret_cast<const ElfW(Nhdr) *>(at);
      const char *name = at + sizeof *note;
      const char *content = name + align(note->n_namesz);
      if (note->n_type == NT_GNU_BUILD_ID &&
          std::string_view(name, note->n_namesz) == std::string_view(ELF_NOTE_GNU, 4))
        return {content, note->n_descsz};
      at = content + align(note->n_descsz);
    }
  }
  return {};
}

/// What tells a library from another of its name.
static std::string identify(const dl_phdr_info &module) {
  if (std::string_view id = buildIdOf(module); !id.empty())
    return std::string(id);
  struct stat file = {};
  if (stat(module.dlpi_name, &file) != 0)
    return module.dlpi_name;
  ByteWriter text;
  text << std::string_view(module.dlpi_name) << file.st_size << file.st_mtim.tv_sec
       << file.st_mtim.tv_nsec;
  return text.bytes;
}

/// Appends the identity of a module that is LLVM or MLIR to the list at `data`.
static int addModule(dl_phdr_info *module, size_t, void *data) {
  std::string_view name = module->dlpi_name;
  name.remove_prefix(name.rfind('/') + 1);
  if (name.starts_with("libLLVM") || name.starts_with("libMLIR"))
    static_cast<std::vector<std::string> *>(data)->push_back(identify(*module));
  return 0;
}

const std::string &cache::compilerIdentity() {
  static const std::string identity = [] {
    std::vector<std::string> libraries;
    dl_iterate_phdr(addModule, &libraries);
    // They are loaded in any order.
    std::sort(libraries.begin(), libraries.end());
    ByteWriter all;
    all << std::string_view(buildIdentity) << libraries;
    return hashOf(all.bytes).hex();
  }();
  return identity;
}
