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
