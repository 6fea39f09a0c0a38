"""Source of a whole C runtime (ucrtbase.dll) for Wine 10, whose own leaves the complex-number functions out.

numpy needs them. The library made of it has them, from mingw, and forwards every other function to a renamed
copy of Wine's own library.

Use: objdump -p WINES_UCRTBASE | ucrtbase.py WINES_UCRTBASE FOLDER writes wucrtbase.dll, ucrtbase.c,
ucrtbase.def and wucrtbase.def.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

UNARY = "cacos cacosh casin casinh catan catanh ccos ccosh cexp clog conj cproj csin csinh csqrt ctan ctanh"
REAL = "cabs carg cimag creal"
HEAD = """#include <complex.h>
typedef struct { float r, i; } F;
typedef struct { double r, i; } D;
static float complex cf(F z) { return __builtin_complex(z.r, z.i); }
static double complex cd(D z) { return __builtin_complex(z.r, z.i); }
static F sf(float complex z) { F o = { crealf(z), cimagf(z) }; return o; }
static D sd(double complex z) { D o = { creal(z), cimag(z) }; return o; }
int __stdcall DllMain(void *library, unsigned reason, void *reserved) { return 1; }
"""
BUILTIN, RENAMED = b"Wine builtin DLL", b"Wine shimmed DLL"
"""Wine loads a library with the first mark only by its own name."""


def complex_functions() -> dict[str, str]:
    """The C source of each function by its name. A long double is a double on Windows."""
    made: dict[str, str] = {}
    for suffix, own in (("", "d"), ("f", "f"), ("l", "d")):
        kind, called, real = own.upper(), "f" if own == "f" else "", "float" if own == "f" else "double"
        for name in UNARY.split():
            body = f"{{ return s{own}({name}{called}(c{own}(z))); }}"
            made[name + suffix] = f"{kind} shim_{name}{suffix}({kind} z) {body}"
        for name in REAL.split():
            body = f"{{ return {name}{called}(c{own}(z)); }}"
            made[name + suffix] = f"{real} shim_{name}{suffix}({kind} z) {body}"
        body = f"{{ return s{own}(cpow{called}(c{own}(a), c{own}(b))); }}"
        made["cpow" + suffix] = f"{kind} shim_cpow{suffix}({kind} a, {kind} b) {body}"
    return made


def main(library: Path, exports: str, folder: Path) -> None:
    content = library.read_bytes()
    (folder / "wucrtbase.dll").write_bytes(content.replace(BUILTIN, RENAMED, 1))
    names = re.findall(r"\+base\[ *\d+\] +[0-9a-f]+ (\w+)$", exports, re.MULTILINE)
    own = complex_functions()
    passed = [name for name in names if name not in own]
    (folder / "ucrtbase.c").write_text(HEAD + "\n".join(own.values()) + "\n")
    exported = [f"  {name}=shim_{name}" for name in own] + [f"  {name}=wucrtbase.{name}" for name in passed]
    (folder / "ucrtbase.def").write_text("\n".join(["LIBRARY ucrtbase.dll", "EXPORTS", *exported, ""]))
    taken = [f"  {name}" for name in passed]
    (folder / "wucrtbase.def").write_text("\n".join(["LIBRARY wucrtbase.dll", "EXPORTS", *taken, ""]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.stdin.read(), Path(sys.argv[2]))
