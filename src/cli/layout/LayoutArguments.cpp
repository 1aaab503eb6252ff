//===- LayoutArguments.cpp - Layout and tensor arguments of the commands ------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/layout/LayoutArguments.h"

#include "cli/AliasScanner.h"
#include "cli/layout/LayoutExamples.h"
#include "compiler/Diagnostics.h"
#include "compiler/IRBrackets.h"
#include "ir/Dialects.h"
#include "ir/ttg/Dialect.h"
#include "ir/tw/Dialect.h"
#include "layout/encoding/Encodings.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::cli;

//===--------------------------------------------------------------------------===//
// Errors
//===--------------------------------------------------------------------------===//

tilewright::Diagnostic cli::errorAt(const ArgumentText &source, size_t offset, size_t length,
                                    std::string message, std::string remedy) {
  tilewright::Diagnostic error =
      makeErrorAt(source.name, source.text, offset, length, std::move(message), std::move(remedy));
  error.where.line += source.firstLine - 1;
  return error;
}

/// An error about all of an argument.
static tilewright::Diagnostic errorAbout(const ArgumentText &source, std::string message,
                                         std::string remedy = {}) {
  StringRef text = source.text;
  size_t begin = text.size() - text.ltrim().size();
  return errorAt(source, begin, text.trim().size(), std::move(message), std::move(remedy));
}

/// What MLIR complained of, as one error: the first, with what else there is as its notes.
/// `what` goes before its message. Without any complaint, the error is about all of `source`.
static tilewright::Diagnostic join(std::vector<tilewright::Diagnostic> complaints,
                                   const ArgumentText &source, const std::string &what,
                                   const std::string &remedy) {
  llvm::erase_if(complaints, [](const tilewright::Diagnostic &complaint) {
    return complaint.severity != Severity::Error;
  });
  if (complaints.empty())
    return errorAbout(source, what, remedy);
  tilewright::Diagnostic error = std::move(complaints.front());
  error.message = what + ": " + error.message;
  if (error.remedy.empty())
    error.remedy = remedy;
  for (tilewright::Diagnostic &further : llvm::drop_begin(complaints)) {
    further.severity = Severity::Note;
    error.notes.push_back(std::move(further));
  }
  if (error.where.line == 0) {
    tilewright::Diagnostic whole = errorAbout(source, "");
    error.where = whole.where;
    error.sourceLine = whole.sourceLine;
  }
  error.where.file = source.name;
  for (tilewright::Diagnostic &note : error.notes)
    note.where.file = source.name;
  return error;
}

/// How many bytes into `text` a place is that an error names.
static size_t offsetOf(StringRef text, const SourceRange &place) {
  size_t offset = 0;
  for (int line = 1; line < place.line; ++line)
    offset = text.find('\n', offset) + 1;
  return offset + place.column - 1;
}

std::string cli::textOf(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

//===--------------------------------------------------------------------------===//
// Texts that are too much
//===--------------------------------------------------------------------------===//

static constexpr size_t maxTextBytes = 4096;
static constexpr unsigned maxNesting = 64;

/// Complains where `text`, at `offset` in `source`, is longer or nests deeper than any layout.
static Expected<void> checkExtent(const ArgumentText &source, size_t offset, StringRef text,
                                  const std::string &what) {
  if (text.size() > maxTextBytes)
    return errorAt(source, offset, 1, what + ": it has " + std::to_string(text.size()) + " bytes",
                   "a layout or a type has at most " + std::to_string(maxTextBytes));
  if (size_t at = findTooDeep(text, maxNesting); at != StringRef::npos)
    return errorAt(source, offset + at, 1,
                   what + ": brackets nest deeper than " + std::to_string(maxNesting),
                   "a layout or a type has a few inside each other at most");
  return {};
}

//===--------------------------------------------------------------------------===//
// LayoutArguments
//===--------------------------------------------------------------------------===//

LayoutArguments::LayoutArguments() {
  DialectRegistry registry;
  registry.insert<LLVM::LLVMDialect>();
  ir::registerDialects(registry);
  mlirContext = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  mlirContext->printOpOnDiagnostic(false);
  mlirContext->loadDialect<ttg::TritonGPUDialect>();
}

LayoutArguments::~LayoutArguments() = default;

static constexpr StringLiteral fileRemedy =
    "a file defines each name once, as in #blocked = #ttg.blocked<{sizePerThread = [1], "
    "threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>";
static constexpr StringLiteral tensorRemedy =
    "a tensor is written as its sizes and the type of its elements: tensor<128x64xf16>";

Expected<LayoutArgument> LayoutArguments::parseLayout(StringRef name, StringRef text) {
  const std::string what = "Invalid layout attribute";
  LayoutArgument result{{name.str(), text.str(), 1}, {}};
  if (!text.ltrim().starts_with("#"))
    return errorAbout(result.source, what + ": it does not begin with '#'", layoutRemedyAt({}, 0));
  if (auto checked = checkExtent(result.source, 0, text, what); !checked)
    return checked.error();
  // The parser calls a text without a file by the text itself.
  Source source{text.str(), text.str()};
  std::vector<tilewright::Diagnostic> complaints;
  DiagnosticCollector collector(context(), source, complaints);
  // A name that nobody knows is worth its own words.
  context()->allowUnregisteredDialects(true);
  result.attribute = parseAttribute(text, context());
  context()->allowUnregisteredDialects(false);
  if (auto opaque = dyn_cast_or_null<OpaqueAttr>(result.attribute))
    return errorAbout(result.source,
                      what + ": there is no dialect '" + opaque.getDialectNamespace().str() + "'",
                      "layouts are in the dialects ttg, ttig and tw");
  if (!result.attribute || hasError(complaints)) {
    tilewright::Diagnostic error = join(std::move(complaints), result.source, what, "");
    if (error.remedy.empty())
      error.remedy = layoutRemedyAt(text, offsetOf(text, error.where));
    return error;
  }
  return result;
}

/// Where size `index` of a tensor stands in its text, as offset and length.
static std::pair<size_t, size_t> findSize(StringRef text, unsigned index) {
  size_t begin = text.find('<') + 1;
  for (unsigned i = 0; i < index; ++i)
    begin = text.find('x', begin) + 1;
  size_t end = text.find('x', begin);
  StringRef size = text.slice(begin, end);
  return {begin + (size.size() - size.ltrim().size()), size.trim().size()};
}

Expected<TensorArgument> LayoutArguments::parseTensor(StringRef name, StringRef text) {
  const std::string what = "Fail to parse the tensor type argument";
  const std::string invalid = "Invalid tensor type argument";
  TensorArgument result;
  result.source = {name.str(), text.str(), 1};
  if (auto checked = checkExtent(result.source, 0, text, what); !checked)
    return checked.error();
  Type type;
  {
    Source source{text.str(), text.str()};
    std::vector<tilewright::Diagnostic> complaints;
    DiagnosticCollector collector(context(), source, complaints);
    type = parseType(text, context());
    if (!type || hasError(complaints))
      return join(std::move(complaints), result.source, what, tensorRemedy.str());
  }
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return errorAbout(result.source,
                      invalid + ": it is no tensor with a known number of dimensions",
                      tensorRemedy.str());
  if (tensor.getRank() == 0)
    return errorAbout(result.source, invalid + ": it has no dimension", tensorRemedy.str());
  int64_t elements = 1;
  for (auto [index, size] : llvm::enumerate(tensor.getShape())) {
    auto [offset, length] = findSize(text, index);
    if (ShapedType::isDynamic(size))
      return errorAt(result.source, offset, length,
                     invalid + ": the size of dimension " + std::to_string(index) + " is not known",
                     "write a number: the elements of a tensor with a layout are counted");
    if (size == 0)
      return errorAt(result.source, offset, length,
                     invalid + ": dimension " + std::to_string(index) + " has no elements",
                     "every size is at least 1");
    if (size > tt::maxTensorElements / elements)
      return errorAt(result.source, offset, length, invalid + ": the tensor has too many elements",
                     "at most " + std::to_string(tt::maxTensorElements) + " are allowed");
    elements *= size;
  }
  result.elementType = tensor.getElementType();
  if (!isa<IntegerType, FloatType, tt::PointerType>(result.elementType))
    return errorAbout(result.source, invalid + ": its elements are no numbers or pointers",
                      "use a type such as f16, i8 or !tt.ptr<f32>");
  result.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  result.elementBits = tt::getStorageBits(result.elementType);
  result.encoding = tensor.getEncoding();
  return result;
}

Expected<std::vector<LayoutArguments::Alias>> LayoutArguments::parseAliases(StringRef file,
                                                                            StringRef text) {
  const std::string what = "Fail to parse the input file";
  ArgumentText whole{file.str(), text.str(), 1};
  AliasText aliases = scanAliases(text);
  for (auto [offset, definition] : aliases.definitions) {
    // Debug information can be that long, a layout cannot.
    if (definition.size() > maxTextBytes)
      std::replace_if(
          aliases.text.begin() + offset, aliases.text.begin() + offset + definition.size(),
          [](char c) { return c != '\n'; }, ' ');
    else if (auto checked = checkExtent(whole, offset, definition, what); !checked)
      return checked.error();
  }

  Source source{file.str(), text.str()};
  std::vector<tilewright::Diagnostic> complaints;
  DiagnosticCollector collector(context(), source, complaints);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(aliases.text, file), SMLoc());
  Block block;
  AsmParserState state;
  ParserConfig config(context());
  // Attributes of dialects that are not ours may stand beside the layouts.
  context()->allowUnregisteredDialects(true);
  LogicalResult parsed = parseAsmSourceFile(sources, &block, config, &state);
  context()->allowUnregisteredDialects(false);
  if (failed(parsed) || hasError(complaints)) {
    tilewright::Diagnostic error = join(std::move(complaints), whole, what, "");
    bool isName = StringRef(error.message).contains("alias id");
    if (error.remedy.empty())
      error.remedy = isName ? fileRemedy.str() : layoutRemedyAt(text, offsetOf(text, error.where));
    return error;
  }

  std::vector<Alias> result;
  for (const AsmParserState::AttributeAliasDefinition &definition : state.getAttributeAliasDefs()) {
    // Which of the definitions it is follows from where the parser saw it.
    size_t offset = definition.definition.loc.Start.getPointer() -
                    sources.getMemoryBuffer(sources.getMainFileID())->getBufferStart();
    auto after =
        llvm::find_if(aliases.definitions, [&](const auto &found) { return found.first > offset; });
    auto [begin, defined] = *std::prev(after);
    int line = static_cast<int>(text.take_front(begin).count('\n')) + 1;
    result.push_back({definition.name.str(),
                      LayoutArgument{{whole.name, defined.str(), line}, definition.value}});
  }
  return result;
}

//===--------------------------------------------------------------------------===//
// A layout on a tensor
//===--------------------------------------------------------------------------===//

/// Complains of sizes that no linear map has.
static Expected<void> checkPowersOfTwo(const TensorArgument &tensor) {
  for (auto [index, size] : llvm::enumerate(tensor.shape)) {
    if (llvm::isPowerOf2_64(size))
      continue;
    auto [offset, length] = findSize(tensor.source.text, index);
    return errorAt(tensor.source, offset, length,
                   "Invalid tensor type argument: the size " + std::to_string(size) +
                       " of a tensor is not a power of two",
                   "layouts map bits to bits: use " + std::to_string(llvm::PowerOf2Ceil(size)) +
                       " and mask the elements past " + std::to_string(size));
  }
  if (Result<void> valid = layout::verifyShape(tensor.shape); !valid)
    return errorAbout(tensor.source, "Invalid tensor type argument: " + valid.error(),
                      "take dimensions together, or a part of the tensor");
  return {};
}

/// Asks the encoding itself whether it can be that of `tensor`.
static Expected<void> checkEncoding(const LayoutArgument &layout, const TensorArgument &tensor) {
  auto verifiable = dyn_cast<VerifiableTensorEncoding>(layout.attribute);
  if (!verifiable)
    return {};
  MLIRContext *context = layout.attribute.getContext();
  Source source{layout.source.name, layout.source.text};
  std::vector<tilewright::Diagnostic> complaints;
  DiagnosticCollector collector(context, source, complaints);
  if (succeeded(verifiable.verifyEncoding(tensor.shape, tensor.elementType, [&] {
        return mlir::emitError(UnknownLoc::get(context));
      })))
    return {};
  return join(std::move(complaints), layout.source,
              "Invalid layout attribute for " + tensor.source.text,
              "give a layout and a tensor that fit each other");
}

static tilewright::Diagnostic unsupported(const LayoutArgument &layout, const std::string &why) {
  return errorAbout(layout.source, "Unsupported tensor layout attribute: " + why,
                    layoutRemedyAt({}, 0));
}

Expected<void> LayoutArguments::check(const LayoutArgument &layout, const TensorArgument &tensor) {
  if (!isa<tt::LayoutEncoding, ttg::SharedLayoutEncoding>(layout.attribute))
    return unsupported(layout, textOf(layout.attribute) +
                                   " says neither which thread holds an element nor where it lies "
                                   "in shared memory");
  if (auto shared = dyn_cast<ttg::SharedLayoutEncoding>(layout.attribute);
      shared && !shared.isLinear())
    return unsupported(layout, textOf(layout.attribute) +
                                   " puts its pieces into several partitions of memory, which no "
                                   "map of offsets describes");
  // Cooperative matrices have any number of columns.
  if (!isa<tw::CoopMatrixEncodingAttr>(layout.attribute))
    if (auto checked = checkPowersOfTwo(tensor); !checked)
      return checked.error();
  return checkEncoding(layout, tensor);
}

Expected<layout::LinearLayout> LayoutArguments::distributedLayout(const LayoutArgument &layout,
                                                                  const TensorArgument &tensor) {
  auto encoding = dyn_cast<tt::LayoutEncoding>(layout.attribute);
  if (!encoding)
    return unsupported(layout, textOf(layout.attribute) +
                                   " does not say which thread holds an element of a tensor");
  if (auto checked = check(layout, tensor); !checked)
    return checked.error();
  if (!encoding.isLinear(tensor.shape))
    return errorAbout(layout.source,
                      "Invalid layout attribute for " + tensor.source.text +
                          ": it is no linear map, as some places hold padding",
                      "take a tensor whose columns divide among the lanes");
  return encoding.toLinearLayoutOf(tensor.shape, tt::getElementBits(tensor.elementType));
}

Expected<layout::LinearLayout> LayoutArguments::sharedLayout(const LayoutArgument &layout,
                                                             const TensorArgument &tensor) {
  auto encoding = dyn_cast<ttg::SharedLayoutEncoding>(layout.attribute);
  if (!encoding)
    return unsupported(layout, textOf(layout.attribute) +
                                   " does not say where an element lies in shared memory");
  if (auto checked = check(layout, tensor); !checked)
    return checked.error();
  return encoding.toLinearLayout(tensor.shape);
}
