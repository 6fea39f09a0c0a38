#!/usr/bin/env bash
# Builds dist/Overpaint-VERSION-arm64.dmg on a Mac (arm64, macOS 14 or later, Xcode's command line tools, Python 3.12).
# Written from the manuals of PyInstaller and Apple's tools; NEVER RUN.
#   OVERPAINT_SIGNING_IDENTITY   "Developer ID Application: …" in the keychain; without it the app is signed ad hoc
#   OVERPAINT_NOTARY_PROFILE     profile of `xcrun notarytool store-credentials`; without it nothing is notarised
set -euo pipefail
cd "$(dirname "$0")/../.."
[ "$(uname -s) $(uname -m)" = "Darwin arm64" ] || { echo "macos: this builds on a Mac with an Apple processor only" >&2; exit 1; }
identity=${OVERPAINT_SIGNING_IDENTITY:--}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
work=$PWD/dist/build/macos
app=$work/dist/Overpaint.app
image=$PWD/dist/Overpaint-$version-arm64.dmg
mkdir -p "$work/dist"

environment() {
    "${PYTHON:-python3}" -m venv "$work/venv"
    "$work/venv/bin/python" -m pip install -qq --disable-pip-version-check --require-hashes --only-binary :all: -r requirements.lock
    "$work/venv/bin/python" -m pip install -qq --disable-pip-version-check "pyinstaller==6.22.3"
    for ts in resources/translations/*.ts; do "$work/venv/bin/pyside6-lrelease" -silent "$ts" -qm "${ts%.ts}.qm"; done
}

icon() {
    local set=$work/overpaint.iconset size
    mkdir -p "$set"
    for size in 16 32 128 256 512; do
        qlmanage -t -s "$((size * 2))" -o "$set" packaging/linux/icons/overpaint.svg >/dev/null
        mv "$set/overpaint.svg.png" "$set/icon_${size}x${size}@2x.png"
        sips -z "$size" "$size" "$set/icon_${size}x${size}@2x.png" --out "$set/icon_${size}x${size}.png" >/dev/null
    done
    iconutil -c icns -o "$work/dist/overpaint.icns" "$set"
}

# Inside out: a signature covers what lies in it. --deep would sign with the wrong entitlements.
sign() {
    local options=(--force --sign "$identity")
    [ "$identity" = - ] || options+=(--timestamp --options runtime)
    find "$app/Contents" -type f \( -name '*.dylib' -o -name '*.so' \) -exec codesign "${options[@]}" {} +
    find "$app/Contents" -type d -name '*.framework' -exec codesign "${options[@]}" {} \;
    codesign "${options[@]}" --entitlements packaging/macos/entitlements.plist "$app"
    codesign --verify --strict --verbose=2 "$app"
}

pack() {
    rm -rf "$work/image" "$image"
    mkdir -p "$work/image"
    cp -R "$app" "$work/image/"
    cp LICENSE resources/notices/THIRD_PARTY_NOTICES.txt "$work/image/"
    ln -s /Applications "$work/image/Applications"
    hdiutil create -quiet -volname "Overpaint $version" -srcfolder "$work/image" -fs HFS+ -format ULFO "$image"
    [ "$identity" = - ] || codesign --force --timestamp --sign "$identity" "$image"
}

notarise() {
    [ -n "${OVERPAINT_NOTARY_PROFILE:-}" ] || { echo "macos: not notarised: macOS will refuse it to whoever downloads it"; return 0; }
    xcrun notarytool submit "$image" --keychain-profile "$OVERPAINT_NOTARY_PROFILE" --wait
    xcrun stapler staple "$image"
    spctl --assess --type open --context context:primary-signature "$image"
}

environment
icon
"$work/venv/bin/pyinstaller" --noconfirm --log-level WARN --workpath "$work/pyinstaller" --distpath "$work/dist" packaging/macos/overpaint.spec
sign
"$app/Contents/MacOS/overpaint" doctor || true
pack
notarise
echo "macos: $image: $(($(stat -f %z "$image") / 1000000)) MB"
