#!/bin/bash
# Runs the tests inside the virtual machine, as root, and leaves their result where the host finds it.
export HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
export PYTHONDONTWRITEBYTECODE=1 OVERPAINT_CAMERA_MACHINE=1 QT_LOGGING_RULES="qt.multimedia*=false"
cd "$(cat /mnt/out/repo)" || exit 1
export NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES="" XDG_CACHE_HOME=$PWD/tests/camera/vm/cache
eval "arguments=($(cat /mnt/out/arguments))"
[ ${#arguments[@]} -gt 0 ] || arguments=(tests/camera/test_*.py)
.venv/bin/python -m pytest -v -s -o timeout=900 --durations=5 "${arguments[@]}" 2>&1 | tee /mnt/out/log
echo "${PIPESTATUS[0]}" >/mnt/out/result
# pytest's own last line, in the order that the host prints: passed first.
.venv/bin/python - <<'P' >/mnt/out/counts
import re
last = [line for line in open("/mnt/out/log", encoding="utf-8") if re.search(r"\d+ (passed|failed|error)", line)][-1]
count = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|error|skipped)", last)}
print(f"{count.get('passed', 0)} passed, {count.get('failed', 0) + count.get('error', 0)} failed"
      + (f", {count['skipped']} skipped" if "skipped" in count else ""))
P
