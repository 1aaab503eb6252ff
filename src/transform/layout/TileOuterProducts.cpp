#include "transform/layout/Passes.h"
using namespace mlir;
namespace tilewright::transform {
#define GEN_PASS_DEF_TILEOUTERPRODUCTS
#include "transform/layout/Passes.h.inc"
namespace { struct P : impl::TileOuterProductsBase<P> { void runOnOperation() override {} }; }
}
