"""Parts of the installed libraries: those that the bundle leaves out, and those that nobody imports by name.

That nothing left out is needed is tested on the installed package (packaging/deb/test.sh): window, every kind
of file, both links, and that every shared library finds all its symbols.
"""

from __future__ import annotations

from fnmatch import fnmatch

NAMED_AT_RUN_TIME = (
    "numba._devicearray",
    "keyring.backends.SecretService",
    "keyring.backends.kwallet",
    "keyring.backends.libsecret",
    "sqlalchemy.dialects.sqlite",
)
"""Modules that are imported by a name in data."""

MODULES = (
    # Only a service on PostgreSQL needs it; its C libraries bring no notices (docs/licences.md).
    "psycopg",
    "psycopg_binary",
    "psycopg_c",
    # Development, and what libraries could use where it is installed.
    *("pytest", "hypothesis", "mypy", "onnx", "skimage", "skvideo", "scipy", "matplotlib", "pandas"),
    *(
        "IPython",
        "readline",
        "tkinter",
        "lib2to3",
        "pydoc_data",
        "setuptools",
        "pip",
        "wheel",
        "cffi.verifier",
        "yaml",
    ),
    *("numba.cuda", "numba.tests", "numpy.f2py", "numpy.distutils"),
    # Qt without its other half: neither QML in Python nor a browser.
    *(f"PySide6.Qt{name}" for name in ("Qml", "Quick", "QuickWidgets", "WebEngineCore", "Pdf", "Test")),
)
"""Modules that are not collected."""

_EVERYWHERE = (
    # The tools, headers and languages of Qt; its own words in dialogs are in overpaint's translations.
    "PySide6/Qt/translations/*",
    "PySide6/Qt/qml/*",
    # The plugin of QtMultimedia is linked to the libraries of QML, which stay; these are not.
    *(f"*Qt6{name}*" for name in ("Quick3D", "QuickControls", "Pdf", "VirtualKeyboard", "WebEngine")),
    # Input methods, screens and picture formats of other machines.
    *(
        f"PySide6/Qt/plugins/{name}"
        for name in (
            "egldeviceintegrations/*",
            "generic/*",
            "networkinformation/*",
            "platforms/libqeglfs.so",
            "platforms/libqlinuxfb.so",
            "platforms/libqvkkhrdisplay.so",
            "platforms/libqvnc.so",
            "platforms/libqminimalegl.so",
            "platforminputcontexts/libqtvirtualkeyboardplugin.so",
            "qmltooling/*",
            "imageformats/libqpdf.so",
        )
    ),
    "*libQt6EglFS*",
    "*libQt6EglFs*",
    "cv2/data/*",
    # Numba's own threads, which kernels do not use.
    "numba/np/ufunc/omppool*",
    "numba/np/ufunc/tbbpool*",
    "*/tests/*",
    "*.pyi",
)

_OWN_OF_THE_SYSTEM = (
    *("libpython3", "libssl", "libcrypto", "libsqlite3"),
    *("libffi", "libmpdec", "libexpat", "libbz2"),
)
"""Shared libraries of Python's own modules, which PyInstaller takes from the machine that builds.

No others of that machine: what talks to display, sound server and bus has to match them, and newer graphics
drivers need the system's own C++ library (the first one that is loaded serves all). They are dependencies of
the package.
"""


def is_left_out(place: str, source: str) -> bool:
    """Whether a file is left out.

    Args:
        place: Its path in the bundle.
        source: Its path on the machine that builds.
    """
    place, name = place.replace("\\", "/"), source.rpartition("/")[2]
    of_the_system = source.startswith(("/lib", "/usr/lib")) and ".so" in name
    if of_the_system and not name.startswith(_OWN_OF_THE_SYSTEM) and "/python3" not in source:
        return True
    return any(fnmatch(place, pattern) for pattern in _EVERYWHERE)
