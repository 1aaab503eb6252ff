//===- ModuleFinder.cpp - From the names of modules to files ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/names/modules/ModuleFinder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;
namespace path = llvm::sys::path;

static constexpr llvm::StringLiteral initFile = "/__init__.py";

static std::string makeAbsolute(StringRef currentFolder, StringRef name) {
  llvm::SmallString<128> result;
  if (!path::is_absolute(name))
    result = currentFolder;
  path::append(result, name);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

ModuleFinder::ModuleFinder(SourceFiles *files, StringRef sourceName,
                           llvm::ArrayRef<std::string> importPaths)
    : files(files && files->canRead() ? files : nullptr), importPaths(importPaths),
      showsRelative(!path::is_absolute(sourceName)) {
  llvm::SmallString<128> folder;
  // Without a current folder, nothing is relative to it.
  if (!llvm::sys::fs::current_path(folder))
    currentFolder = folder.str().str();
  sourcePath = makeAbsolute(currentFolder, sourceName);
  sourceModule = &modules.emplace_back();
  sourceModule->isSource = true;
  sourceModule->name = path::stem(sourceName).str();
  sourceModule->folder = path::parent_path(sourcePath).str();
  if (path::filename(sourcePath) == "__init__.py")
    sourceModule->folders = {sourceModule->folder};
  known[sourcePath] = sourceModule;
}

std::string ModuleFinder::shown(StringRef file) const {
  if (showsRelative && file.consume_front(currentFolder))
    file.consume_front("/");
  return file.str();
}

const SourceFiles::File *ModuleFinder::read(const std::string &file) {
  if (!files)
    return nullptr;
  std::string name = shown(file);
  const SourceFiles::File &found = files->read(name);
  lookedFor.emplace(std::move(name), &found);
  return found.contents() ? &found : nullptr;
}

std::vector<InputFile> ModuleFinder::inputs() const {
  std::vector<InputFile> result;
  for (const auto &[name, file] : lookedFor)
    result.push_back({name, file->contents() ? std::optional(file->sha256()) : std::nullopt});
  return result;
}

const FoundModule *ModuleFinder::make(const std::string &file, std::string name, bool isPackage) {
  const FoundModule *&entry = known[file];
  if (entry)
    return entry;
  FoundModule &made = modules.emplace_back();
  made.name = std::move(name);
  made.file = read(file);
  made.folder = path::parent_path(file).str();
  if (isPackage)
    made.folders = {made.folder};
  return entry = &made;
}

void ModuleFinder::findRoots() {
  if (!rootFolders.empty())
    return;
  std::string folder = sourceModule->folder;
  while (path::has_parent_path(folder) && exists(folder + initFile.str()))
    folder = path::parent_path(folder).str();
  rootFolders.push_back(folder);
  for (const std::string &one : importPaths)
    rootFolders.push_back(makeAbsolute(currentFolder, one));
}

std::vector<std::string> ModuleFinder::roots() {
  findRoots();
  std::vector<std::string> names;
  for (const std::string &folder : rootFolders)
    names.push_back(folder == currentFolder && showsRelative ? "." : shown(folder));
  return names;
}

const FoundModule *ModuleFinder::find(StringRef name) {
  if (!files)
    return nullptr;
  if (auto found = absolute.find(name); found != absolute.end())
    return found->second;
  findRoots();
  const FoundModule *&entry = absolute[name];
  entry = findIn(rootFolders, name, "");
  // The source may lie in a package whose folders have no __init__.py, or in one that another
  // package brings along: then the package has the name of a folder around the source.
  const StringRef first = name.split('.').first;
  for (StringRef folder = sourceModule->folder; !entry && path::has_parent_path(folder);
       folder = path::parent_path(folder))
    if (path::filename(folder) == first)
      entry = findIn({path::parent_path(folder).str()}, name, "");
  // A script beside its project's package, as in a folder of examples: Python finds the package
  // where the project is installed. A project's folder has one of these files.
  for (StringRef folder = sourceModule->folder; !entry && path::has_parent_path(folder);
       folder = path::parent_path(folder)) {
    const bool isProject =
        exists((folder + "/pyproject.toml").str()) || exists((folder + "/setup.py").str());
    if (!isProject)
      continue;
    entry = findIn({folder.str(), (folder + "/src").str()}, name, "");
    break;
  }
  return entry;
}

const FoundModule *ModuleFinder::findNamespace(StringRef name, const FoundModule *package) {
  const std::string fullName = (package ? package->name + "." : "") + name.str();
  const std::string prefix = fullName + ".";
  if (llvm::none_of(absolute, [&](const auto &entry) {
        return entry.second && entry.getKey().starts_with(prefix);
      }))
    return nullptr;
  const FoundModule *&entry = known[prefix];
  if (!entry) {
    FoundModule &made = modules.emplace_back();
    made.name = fullName;
    for (const std::string &folder : package ? package->folders : rootFolders)
      made.folders.push_back(folder + "/" + name.str());
    entry = &made;
  }
  return entry;
}

const FoundModule *ModuleFinder::findRelative(const FoundModule &from, unsigned level,
                                              StringRef name) {
  std::string folder = from.folder;
  for (unsigned i = 1; i < level; ++i)
    folder = path::parent_path(folder).str();
  if (!files || folder.empty())
    return nullptr;
  if (!name.empty())
    return findIn({folder}, name, "");
  if (const std::string init = folder + initFile.str(); exists(init))
    return make(init, path::filename(folder).str(), /*isPackage=*/true);
  const FoundModule *&entry = known[folder];
  if (!entry) {
    FoundModule &made = modules.emplace_back();
    made.name = path::filename(folder).str();
    made.folders = {folder};
    entry = &made;
  }
  return entry;
}

std::vector<const FoundModule *> ModuleFinder::packagesOf(const FoundModule &module) {
  std::vector<const FoundModule *> packages;
  StringRef folder = module.folder;
  // The folder of a package's own file is that package.
  if (!module.folders.empty())
    folder = path::parent_path(folder);
  for (; files && path::has_parent_path(folder); folder = path::parent_path(folder)) {
    const std::string init = (folder + initFile).str();
    if (!exists(init))
      break;
    packages.push_back(make(init, path::filename(folder).str(), /*isPackage=*/true));
  }
  return packages;
}

std::string ModuleFinder::fullName(const FoundModule &module) {
  const std::vector<const FoundModule *> packages = packagesOf(module);
  if (packages.empty())
    return module.name;
  const bool isPackage = !module.folders.empty();
  std::string name = isPackage ? path::filename(module.folder).str()
                               : StringRef(module.name).rsplit('.').second.str();
  if (name.empty())
    name = module.name;
  for (const FoundModule *package : packages)
    name = path::filename(package->folder).str() + "." + name;
  return name;
}

const FoundModule *ModuleFinder::findInFolder(const std::string &folder, StringRef name) {
  return files ? findIn({folder}, name, "") : nullptr;
}

const FoundModule *ModuleFinder::findIn(const FoundModule &package, StringRef name) {
  return package.folders.empty() ? nullptr : findIn(package.folders, name, package.name + ".");
}

const FoundModule *ModuleFinder::findIn(std::vector<std::string> folders, StringRef name,
                                        StringRef prefix) {
  auto [first, rest] = name.split('.');
  const std::string fullName = (prefix + first).str();
  std::vector<std::string> inside;
  for (const std::string &folder : folders) {
    const std::string base = folder + "/" + first.str();
    if (const std::string init = base + initFile.str(); exists(init)) {
      const FoundModule *package = make(init, fullName, /*isPackage=*/true);
      return rest.empty() ? package : findIn({base}, rest, fullName + ".");
    }
    if (const std::string file = base + ".py"; exists(file))
      return rest.empty() ? make(file, fullName, /*isPackage=*/false) : nullptr;
    inside.push_back(base);
  }
  if (!rest.empty())
    return findIn(std::move(inside), rest, fullName + ".");
  // A folder without __init__.py counts if it is there; a reader of files cannot say so.
  return nullptr;
}
