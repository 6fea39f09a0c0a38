# Makes the environment of the release's tools and sets $tools to its programs; sourced by the scripts beside it.
tools=$PWD/dist/build/release-tools/bin
if ! cmp -s packaging/releases/requirements.txt "$tools/../ready"; then
    "${PYTHON:-python3}" -m venv "$tools/.."
    "$tools/python" -m pip install -qq --disable-pip-version-check -r packaging/releases/requirements.txt
    cp packaging/releases/requirements.txt "$tools/../ready"
fi
