# Sourced by the scripts beside it, in this folder: makes .venv, and sets `shared` and `python`.
shared=$(cd .. && realpath "${SHARED:-../shared}")
python=.venv/bin/python
want=$(cksum < requirements.txt)
if [ "$(cat .venv/ready 2>/dev/null)" != "$want" ]; then
    echo "train: making training/.venv (torch is large)"
    [ -x "$python" ] || "${PYTHON:-python3}" -m venv .venv
    "$python" -m pip install -q --disable-pip-version-check --only-binary :all: -r requirements.txt
    echo "$want" > .venv/ready
fi
