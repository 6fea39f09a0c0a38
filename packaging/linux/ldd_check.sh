#!/bin/sh
# Says which shared libraries a bundle lacks on this system, and which symbols they do not find: ldd_check.sh BUNDLE.
# The plugin for GTK's look is only used where GTK is; Qt's FFmpeg looks for RAND_bytes when it first needs it.
cd "$1/_internal" || exit 1
find . -name '*.so*' -type f ! -path '*/libqgtk3.so' | while read -r file; do
    LD_LIBRARY_PATH=$PWD ldd -r "$file" 2>&1 | grep -E 'not found|undefined symbol|no version' | grep -vE 'undefined symbol: (_?Py|RAND_bytes)' |
        sed "s#^[[:space:]]*#$file: #"
done | sort | uniq
