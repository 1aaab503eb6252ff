# The steps of cache.test: cache.sh EXAMPLES FOLDER
cd "$2"
export PATH
compile() { tilewright compile "$@" -o out > /dev/null; }
found() { tilewright cache | sed -n 's/.*of which \(found [0-9]*\).*/\1/p'; }

echo 'step: found'
cat > scale.py <<'KERNEL'
import triton
import triton.language as tl


@triton.jit
def scale(x, B: tl.constexpr):
    tl.static_print("block of", B)
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, tl.load(x + i) * 2)
KERNEL
compile scale.py --signature "*fp32:16, 256"
cp -r out first
compile scale.py --signature "*fp32:16, 256"
diff -r out first && echo same
compile scale.py --signature "*fp32:16, 256" --no-cache 2> /dev/null
compile scale.py --signature "*fp32:16, 256" --time 2> /dev/null
tilewright cache

echo 'step: imports'
mkdir imports && cd imports
TILEWRIGHT_CACHE_DIR=$PWD/cache
cat > scale.py <<'KERNEL'
import triton
import triton.language as tl
from constants import FACTOR


@triton.jit
def scale(x, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, tl.load(x + i) * FACTOR)
KERNEL
for factor in 3 3 5 3; do
  printf 'import triton.language as tl\n\nFACTOR = tl.constexpr(%s)\n' $factor > constants.py
  compile scale.py --signature "*fp32:16, 256"
  sed -n 's/.*\(arith.constant dense<.*\) : tensor<256xf32>.*/\1/p' out/scale.ttir
  found
done
cd ..
TILEWRIGHT_CACHE_DIR=$PWD/cache

echo 'step: damaged'
truncate -s -3 cache/*/*.kernel
tilewright cache verify
echo "code $?"
compile scale.py --signature "*fp32:16, 256"
echo "code $?"
tilewright cache verify

echo 'step: cleaned'
tilewright cache clean
tilewright cache

echo 'step: of no use'
echo > file
export TILEWRIGHT_CACHE_DIR=file/cache
compile scale.py --signature "*fp32:16, 256"
TILEWRIGHT_CACHE_DIR=cache
TILEWRIGHT_CACHE_SIZE=much compile scale.py --signature "*fp32:16, 256"
TILEWRIGHT_CACHE_REDIS=host:1 compile scale.py --signature "*fp32:16, 256"
tilewright cache burn
TILEWRIGHT_CACHE=off tilewright cache
