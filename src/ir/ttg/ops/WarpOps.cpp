//===- WarpOps.cpp - Syntax and verifiers of warp specialization and warp ids -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

//===--------------------------------------------------------------------------===//
// BarrierOp
//===--------------------------------------------------------------------------===//

static constexpr std::pair<StringLiteral, BarrierSpace> barrierSpaces[] = {
    {"local", Local},
    {"global_read", GlobalRead},
    {"global_write", GlobalWrite},
    {"tensor", Tensor}};

ParseResult BarrierOp::parse(OpAsmParser &parser, OperationState &result) {
  int32_t spaces = 0;
  do {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword))
      return failure();
    const auto *found =
        llvm::find_if(barrierSpaces, [&](const auto &entry) { return entry.first == keyword; });
    if (keyword == "all")
      spaces |= All;
    else if (found != std::end(barrierSpaces))
      spaces |= found->second;
    else
      return parser.emitError(loc) << "unknown memory '" << keyword
                                   << "'; there are local, global_read, global_write, tensor, all";
  } while (succeeded(parser.parseOptionalVerticalBar()));
  result.addAttribute("addressSpaces", parser.getBuilder().getI32IntegerAttr(spaces));
  return parser.parseOptionalAttrDict(result.attributes);
}

void BarrierOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  int32_t spaces = getAddressSpaces();
  if (spaces == All) {
    printer << "all";
  } else {
    SmallVector<StringRef> names;
    for (const auto &[name, bit] : barrierSpaces)
      if (spaces & bit)
        names.push_back(name);
    llvm::interleave(names, printer.getStream(), "|");
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"addressSpaces"});
}

//===--------------------------------------------------------------------------===//
// WarpSpecializeOp
//===--------------------------------------------------------------------------===//

WarpSpecializePartitionsOp WarpSpecializeOp::getPartitionOp() {
  return cast<WarpSpecializePartitionsOp>(getPartitionOpHolder().front().front());
}

MutableArrayRef<Region> WarpSpecializeOp::getPartitionRegions() {
  return getPartitionOp().getPartitionRegions();
}

void WarpSpecializeOp::getSuccessorRegions(RegionBranchPoint point,
                                           SmallVectorImpl<RegionSuccessor> &successors) {
  // The partitions run beside the default region, which alone gives the results.
  if (point.isParent())
    successors.emplace_back(&getDefaultRegion());
  else
    successors.emplace_back(getOperation(), getResults());
}

OperandRange WarpSpecializeOp::getEntrySuccessorOperands(RegionSuccessor) {
  return OperandRange((*this)->operand_end(), (*this)->operand_end());
}

LogicalResult WarpSpecializeOp::verify() {
  for (int32_t warps : getPartitionNumWarps())
    if (warps <= 0 || !llvm::isPowerOf2_32(warps))
      return emitOpError() << "has a partition of " << warps
                           << " warps; their number must be a power of two";
  for (int32_t start : getWarpGroupStartIds().value_or(ArrayRef<int32_t>()))
    if (start < 0)
      return emitOpError() << "has a partition that begins at warp " << start;
  size_t partitions = getPartitionNumWarps().size();
  auto check = [&](StringRef name, std::optional<ArrayRef<int32_t>> list, size_t size) {
    return !list || list->size() == size ? success()
                                         : emitOpError()
                                               << "has " << list->size() << " entries in `" << name
                                               << "`, not " << size;
  };
  if (failed(check("warpGroupStartIds", getWarpGroupStartIds(), partitions)) ||
      failed(check("requestedRegisters", getRequestedRegisters(), partitions)) ||
      failed(check("actualRegisters", getActualRegisters(), partitions + 1)))
    return failure();
  for (Operation *op = (*this)->getParentOp(); op; op = op->getParentOp())
    if (isa<WarpSpecializeOp>(op))
      return emitOpError("cannot stand inside another one: a warp has one task");
  return success();
}

LogicalResult WarpSpecializeOp::verifyRegions() {
  Block &holder = getPartitionOpHolder().front();
  if (!llvm::hasSingleElement(holder) || !isa<WarpSpecializePartitionsOp>(holder.front()))
    return emitOpError("needs its partitions in a ttg.warp_specialize.partitions and nothing else");
  MutableArrayRef<Region> partitions = getPartitionRegions();
  if (partitions.size() != getPartitionNumWarps().size())
    return emitOpError() << "has " << partitions.size()
                         << " partitions, but the numbers of warps of "
                         << getPartitionNumWarps().size();
  for (auto [i, region] : llvm::enumerate(partitions)) {
    if (!llvm::equal(region.front().getArgumentTypes(), getOperandTypes()))
      return emitOpError() << "has a partition " << i
                           << " whose arguments do not match the operands";
    for (Block &block : region)
      if (!block.mightHaveTerminator() ||
          (block.getNumSuccessors() == 0 && !isa<WarpReturnOp>(block.getTerminator())))
        return emitOpError() << "has a partition " << i << " that does not end in ttg.warp_return";
  }
  for (Block &block : getDefaultRegion()) {
    if (block.getNumSuccessors() != 0)
      continue;
    auto yield =
        block.mightHaveTerminator() ? dyn_cast<WarpYieldOp>(block.getTerminator()) : WarpYieldOp();
    if (!yield || !llvm::equal(yield.getOperandTypes(), getResultTypes()))
      return emitOpError(
          "has a default region that does not end in ttg.warp_yield of the op's results");
  }
  return success();
}

/// `default {..} partition0(%x: i32) num_warps(4) {..} ..`
static ParseResult parsePartitions(OpAsmParser &parser, OperationState &result,
                                   SmallVectorImpl<int32_t> &numWarps) {
  Region *defaultRegion = result.addRegion();
  Region *holder = result.addRegion();
  if (parser.parseKeyword("default") || parser.parseRegion(*defaultRegion))
    return failure();
  OperationState partitions(parser.getEncodedSourceLoc(parser.getCurrentLocation()),
                            WarpSpecializePartitionsOp::getOperationName());
  SmallVector<OpAsmParser::Argument> arguments;
  for (unsigned i = 0; succeeded(parser.parseOptionalKeyword(("partition" + Twine(i)).str()));
       ++i) {
    arguments.clear();
    if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true) ||
        parser.parseKeyword("num_warps") || parser.parseLParen() ||
        parser.parseInteger(numWarps.emplace_back()) || parser.parseRParen() ||
        parser.parseRegion(*partitions.addRegion(), arguments, /*enableNameShadowing=*/false))
      return failure();
  }
  OpBuilder builder(parser.getContext());
  builder.createBlock(holder);
  builder.create(partitions);
  return success();
}

ParseResult WarpSpecializeOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc operandLoc = parser.getCurrentLocation();
  SmallVector<int32_t> numWarps;
  FunctionType type;
  if (parser.parseOperandList(operands, AsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parsePartitions(parser, result, numWarps) || parser.parseColon() || parser.parseType(type) ||
      parser.resolveOperands(operands, type.getInputs(), operandLoc, result.operands))
    return failure();
  result.addTypes(type.getResults());
  result.addAttribute(getPartitionNumWarpsAttrName(result.name),
                      parser.getBuilder().getDenseI32ArrayAttr(numWarps));
  return success();
}

void WarpSpecializeOp::print(OpAsmPrinter &printer) {
  printer << '(' << getOperands() << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getPartitionNumWarpsAttrName()});
  printer.printNewline();
  printer << "default ";
  printer.printRegion(getDefaultRegion());
  for (auto [i, region, warps] : llvm::enumerate(getPartitionRegions(), getPartitionNumWarps())) {
    printer.printNewline();
    printer << "partition" << i << '(';
    llvm::interleaveComma(region.getArguments(), printer,
                          [&](BlockArgument argument) { printer.printRegionArgument(argument); });
    printer << ") num_warps(" << warps << ") ";
    printer.printRegion(region, /*printEntryBlockArgs=*/false);
  }
  printer << " : ";
  printer.printFunctionalType(*this);
}

//===--------------------------------------------------------------------------===//
// Ops that the pipeliner produces
//===--------------------------------------------------------------------------===//

LogicalResult PredicateStageOp::verify() {
  int32_t most = getMaxStage(), stage = getStage();
  if (most < 0 || stage < 0 || stage > most)
    return emitOpError() << "needs a stage of 0 .. `maxStage`, got stage " << stage << " of "
                         << most;
  return success();
}

LogicalResult MaskOp::verifyRegions() {
  auto ret = dyn_cast<MaskReturnOp>(getRegion().front().getTerminator());
  if (!ret || !llvm::equal(ret.getOperandTypes(), getResultTypes()))
    return emitOpError("needs a region that ends in ttg.mask.return of the op's results");
  if (getRegion().front().getNumArguments() != 0)
    return emitOpError("needs a region without arguments");
  return success();
}
