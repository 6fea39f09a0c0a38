"""Network cameras that were used: their names, and their logins in memory, and in the keyring if wished.

Must not know how a camera is played.
"""

from __future__ import annotations

from dataclasses import replace

from overpaint import credentials
from overpaint.errors import CredentialError
from overpaint.media.network_camera.camera_address import NetworkAddress, parse_network_address
from overpaint.media.sources import SourceSpec


class CameraLogins:
    """The network cameras that were used.

    Attributes:
        cameras: Public addresses, the last used first, and whether the keyring has the whole one.
        names: Names that the user gave some of them, by public address.
    """

    def __init__(self) -> None:
        self.cameras: dict[str, bool] = {}
        self.names: dict[str, str] = {}
        self._whole: dict[str, NetworkAddress] = {}

    def completed(self, spec: SourceSpec) -> SourceSpec:
        """Returns a source with the login that is known for it; may wait for the keyring."""
        address = spec.address
        if address is None or address.whole != address.public:
            return spec
        known = self._whole.get(spec.name) or self._stored(spec.name)
        return spec if known is None else replace(spec, address=known)

    def used(self, spec: SourceSpec) -> None:
        """Remembers a camera that works, its login in memory alone."""
        if spec.address is None:
            return
        self._whole[spec.name] = spec.address
        others = {name: kept for name, kept in self.cameras.items() if name != spec.name}
        self.cameras = {spec.name: self.cameras.get(spec.name, False)} | others

    def title(self, camera: str) -> str:
        """Returns the name of a camera for the user: their own, else its place in the network."""
        parsed = parse_network_address(camera)
        return self.names.get(camera) or (parsed.place if parsed is not None else camera)

    def rename(self, camera: str, name: str) -> None:
        """Gives a camera a name of the user's, or none."""
        others = {each: known for each, known in self.names.items() if each != camera}
        named = " ".join(name.split())
        self.names = {**others, camera: named} if named and camera in self.cameras else others

    def forget(self, camera: str) -> None:
        """Forgets a camera, its name and its login; may wait for the keyring.

        Raises:
            CredentialError: ``no_keyring``: its login cannot be deleted; then nothing is forgotten.
        """
        if self.cameras.get(camera):
            try:
                credentials.delete_camera_address(camera)
            except CredentialError as error:
                raise CredentialError("network_login_not_deleted", camera=self.title(camera)) from error
        self._whole.pop(camera, None)
        self.rename(camera, "")
        self.cameras = {each: kept for each, kept in self.cameras.items() if each != camera}

    def keep(self, name: str) -> None:
        """Stores the login of a camera that was used in the keyring; may wait for it.

        Raises:
            CredentialError: ``no_keyring``: it cannot be stored.
        """
        address = self._whole[name]
        if address.whole == address.public:
            return
        try:
            credentials.set_camera_address(name, address.whole)
        except CredentialError as error:
            raise CredentialError("network_login_not_kept", camera=address.place) from error
        self.cameras = {**self.cameras, name: True}

    def _stored(self, name: str) -> NetworkAddress | None:
        if not self.cameras.get(name):
            return None
        try:
            whole = credentials.get_camera_address(name)
        except CredentialError:
            return None  # the camera will ask for it
        address = parse_network_address(whole or "")
        return address if address is not None and address.public == name else None
