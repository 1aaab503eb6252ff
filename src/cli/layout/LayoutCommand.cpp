//===- LayoutCommand.cpp - The command tilewright layout ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Shows layouts: those of a file, then that of the command line. It takes the flags of Triton's
// triton-tensor-layout and prints the same, and has views and formats beyond.
//
//===--------------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "cli/layout/AtomArguments.h"
#include "cli/layout/LayoutReport.h"
#include "runtime/files/Files.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::cli;
namespace cl = llvm::cl;

static cl::opt<std::string> attribute(cl::Positional, cl::desc("[ATTR]"), cl::sub(layoutCommand));
static cl::opt<std::string> layoutText("l", cl::value_desc("ATTR"),
                                       cl::desc("The layout, as an option"),
                                       cl::sub(layoutCommand));
static cl::opt<std::string>
    tensorText("tensor", cl::value_desc("TYPE"),
               cl::desc("The tensor, such as tensor<128x64xf16>; -t for short"),
               cl::sub(layoutCommand));
static cl::alias tensorAlias("t", cl::aliasopt(tensorText), cl::desc("The same as --tensor"));
static cl::opt<std::string> inputFile("i", cl::value_desc("FILE"),
                                      cl::desc("Show the layouts that a file of IR names: `#x = "
                                               "..`; `-` is the standard input"),
                                      cl::sub(layoutCommand));
static cl::list<std::string> aliasNames("alias-names", cl::value_desc("a,b"), cl::CommaSeparated,
                                        cl::desc("Only these of the file"), cl::sub(layoutCommand));
static cl::opt<std::string>
    atomName("atom", cl::value_desc("NAME"),
             cl::desc("Show an operand of an instruction that copies or "
                      "multiplies tiles; `tilewright targets --atoms` lists "
                      "them"),
             cl::sub(layoutCommand));
static cl::opt<std::string> operandName("operand", cl::value_desc("a|b|c|src|dst"),
                                        cl::desc("Which operand (default c, or the registers of a "
                                                 "copy)"),
                                        cl::sub(layoutCommand));
static cl::opt<std::string> targetName("target", cl::value_desc("TARGET"),
                                       cl::desc("The target whose atom it is (default: the first "
                                                "that has it)"),
                                       cl::sub(layoutCommand));
static cl::opt<bool> useHardwareView("use-hw-view", cl::desc("The same as --view hw"),
                                     cl::sub(layoutCommand));
static cl::opt<std::string> viewName("view", cl::value_desc("tensor|hw|bases|access"),
                                     cl::desc("Who holds each element (default); what each "
                                              "register or offset holds; the map's bases; what "
                                              "accesses cost"),
                                     cl::sub(layoutCommand));
static cl::opt<std::string> formatName("format", cl::value_desc("text|json|svg|cute"),
                                       cl::init("text"), cl::desc("How to show it (default text)"),
                                       cl::sub(layoutCommand));
static cl::opt<std::string> outputFile("o", cl::value_desc("FILE"),
                                       cl::desc("Write there, not to the standard output"),
                                       cl::sub(layoutCommand));

namespace {

/// A layout that is shown, and what introduces it in text: `#name = attribute`, or the attribute.
struct Shown {
  std::string name;
  std::string introduction;
  std::string content;
};

/// The flags' meaning.
struct Choice {
  LayoutView view = LayoutView::Tensor;
  LayoutFormat format = LayoutFormat::Text;
};

Expected<Choice> readChoice() {
  Choice choice;
  std::string name = viewName.empty() ? (useHardwareView ? "hw" : "tensor") : viewName.getValue();
  auto view = parseLayoutView(name, "--");
  if (!view)
    return view.error();
  if (useHardwareView && *view != LayoutView::Hardware)
    return makeError("-use-hw-view and --view " + name + " ask for different views",
                     "give one of them");
  auto format = parseLayoutFormat(formatName, "--");
  if (!format)
    return format.error();
  choice.view = *view;
  choice.format = *format;
  return choice;
}

Expected<std::string> readInput() {
  if (inputFile != "-") {
    auto text = runtime::readFile(inputFile);
    if (!text) {
      Diagnostic error = text.error();
      error.message = "Could not open input file: " + error.message;
      return error;
    }
    return std::move(*text);
  }
  auto buffer = llvm::MemoryBuffer::getSTDIN();
  if (!buffer)
    return makeFileError("<stdin>", "Could not open input file: " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

/// The layouts of the file: those that were named, or all.
Expected<std::vector<LayoutArguments::Alias>> readAliases(LayoutArguments &arguments) {
  auto text = readInput();
  if (!text)
    return text.error();
  std::string file = inputFile == "-" ? "<stdin>" : inputFile.getValue();
  auto aliases = arguments.parseAliases(file, *text);
  if (!aliases || aliasNames.empty())
    return aliases;
  std::vector<LayoutArguments::Alias> named;
  for (const std::string &name : aliasNames) {
    auto found = llvm::find_if(
        *aliases, [&](const LayoutArguments::Alias &alias) { return alias.name == name; });
    if (found == aliases->end()) {
      std::string known;
      for (const LayoutArguments::Alias &alias : *aliases)
        known += (known.empty() ? "" : ", ") + alias.name;
      return makeFileError(file, "Can't find the layout attribute: " + name,
                           known.empty() ? "the file defines none; write `#" + name + " = ..`"
                                         : "the file defines " + known);
    }
    named.push_back(*found);
  }
  return named;
}

/// Shows the layouts of the file. Where none was named, those that are no layouts or not of this
/// tensor are left out, the latter with a warning.
Expected<void> showFile(LayoutArguments &arguments, const TensorArgument &tensor, Choice choice,
                        std::vector<Shown> &shown) {
  auto aliases = readAliases(arguments);
  if (!aliases)
    return aliases.error();
  std::vector<Diagnostic> misfits;
  for (const LayoutArguments::Alias &alias : *aliases) {
    if (aliasNames.empty() && !isLayout(alias.layout.attribute))
      continue;
    auto content = describeLayout(arguments, alias.layout, tensor, choice.view, choice.format);
    if (content)
      shown.push_back({"#" + alias.name, "#" + alias.name + " = " + textOf(alias.layout.attribute),
                       std::move(*content)});
    else if (!aliasNames.empty())
      return content.error();
    else
      misfits.push_back(content.error());
  }
  if (shown.empty() && !misfits.empty())
    return misfits.front();
  for (Diagnostic &misfit : misfits) {
    misfit.severity = Severity::Warning;
    report(misfit);
  }
  if (shown.empty())
    return makeFileError(inputFile, "the file defines no layout",
                         "a layout is defined as in #blocked = #ttg.blocked<{..}>");
  return {};
}

/// The layout of the command line, if there is one.
Expected<void> showArgument(LayoutArguments &arguments, const TensorArgument &tensor, Choice choice,
                            std::vector<Shown> &shown) {
  LayoutArgument layout;
  if (attribute.empty() && layoutText.empty()) {
    if (!inputFile.empty())
      return {};
    if (!tensor.encoding)
      return makeError("no layout was given",
                       "say `tilewright layout ATTR --tensor TYPE`, or name a file with -i");
    layout = {tensor.source, tensor.encoding};
  } else {
    bool isOption = !layoutText.empty();
    auto parsed = arguments.parseLayout(isOption ? "-l" : "ATTR",
                                        isOption ? layoutText.getValue() : attribute.getValue());
    if (!parsed)
      return parsed.error();
    layout = std::move(*parsed);
  }
  auto content = describeLayout(arguments, layout, tensor, choice.view, choice.format);
  if (!content)
    return content.error();
  std::string text = textOf(layout.attribute);
  shown.push_back({text, text, std::move(*content)});
  return {};
}

/// JSON of one layout is the layout; that of several is an object with a key for each.
std::string joinJson(const std::vector<Shown> &shown) {
  if (shown.size() == 1)
    return shown.front().content;
  std::string out = "{";
  for (const Shown &one : shown) {
    // Attributes may hold strings.
    std::string key;
    for (char c : one.name)
      key += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
    out += (out.size() > 1 ? ",\n \"" : "\"") + key + "\": ";
    out += llvm::StringRef(one.content).rtrim().str();
  }
  return out + "}\n";
}

/// As Triton's tool prints them: a blank line follows each that was asked for by its name.
std::string joinText(const std::vector<Shown> &shown) {
  std::string out;
  for (const Shown &one : shown) {
    out += "Print layout attribute: " + one.introduction + "\n" + one.content;
    if (!aliasNames.empty() && one.name != one.introduction)
      out += '\n';
  }
  return out;
}

int write(const std::string &text) {
  if (outputFile.empty()) {
    llvm::outs() << text;
    return 0;
  }
  if (auto written = runtime::writeFile(outputFile, text); !written)
    return report(written.error());
  return 0;
}

/// An operand in registers has all views, one in memory its bases.
int showAtom(Choice choice) {
  if (!attribute.empty() || !layoutText.empty() || !inputFile.empty() || !tensorText.empty())
    return report(makeError("--atom names a layout, and something else does, too",
                            "give --atom alone: its tile is known"));
  auto operand = findOperand(atomName, operandName, targetName);
  if (!operand)
    return report(operand.error());
  const bool isInRegisters = operand->operand->space == target::Space::Registers;
  const std::string space(spaceName(operand->operand->space));
  const bool asItIs = (choice.format == LayoutFormat::Text && choice.view == LayoutView::Bases) ||
                      (choice.format == LayoutFormat::Json && choice.view != LayoutView::Access);
  if (!isInRegisters && !asItIs) {
    if (!viewName.empty() || useHardwareView || choice.format != LayoutFormat::Text)
      return report(makeError(operand->title + " is in " + space + ", at addresses that are given",
                              "--view bases and --format json show what is known of them"));
    choice.view = LayoutView::Bases;
  }
  auto content = describeMap({"--atom", operand->title, 1}, operand->operand->map,
                             std::max(8u, operand->elementBits), choice.view, choice.format);
  if (!content)
    return report(content.error());
  const bool isText = choice.format == LayoutFormat::Text || choice.format == LayoutFormat::Cute;
  return write((isText ? operand->title + ", in " + space + "\n" : "") + *content);
}

} // namespace

int cli::runLayoutCommand() {
  auto choice = readChoice();
  if (!choice)
    return report(choice.error());
  if (!atomName.empty())
    return showAtom(*choice);
  if (!operandName.empty() || !targetName.empty())
    return report(makeError("--operand and --target are of an atom", "name it with --atom"));
  if (!attribute.empty() && !layoutText.empty())
    return report(makeError("two layouts were given: ATTR and -l", "give one of them"));
  if (!aliasNames.empty() && inputFile.empty())
    return report(makeError("-alias-names needs a file with aliases", "name it with -i"));
  if (tensorText.empty())
    return report(makeError("Must specify the tensor type argument",
                            "give --tensor (or -t) a type such as tensor<128x64xf16>"));
  for (auto *option : {&inputFile, &outputFile})
    if (option->getNumOccurrences() > 0 && option->empty())
      return report(makeError("-" + option->ArgStr.str() + " names no file",
                              "give a name, or leave the option out"));
  LayoutArguments arguments;
  auto tensor = arguments.parseTensor("--tensor", tensorText);
  if (!tensor)
    return report(tensor.error());

  std::vector<Shown> shown;
  if (!inputFile.empty())
    if (auto done = showFile(arguments, *tensor, *choice, shown); !done)
      return report(done.error());
  if (auto done = showArgument(arguments, *tensor, *choice, shown); !done)
    return report(done.error());

  if (choice->format == LayoutFormat::Svg && shown.size() > 1)
    return report(
        makeError("there are " + std::to_string(shown.size()) + " layouts, but a picture shows one",
                  "choose one with -alias-names"));
  std::string out = choice->format == LayoutFormat::Json  ? joinJson(shown)
                    : choice->format == LayoutFormat::Svg ? shown.front().content
                                                          : joinText(shown);
  return write(out);
}
