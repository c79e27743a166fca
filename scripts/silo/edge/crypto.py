"""What leaves the machine for a mirror, sealed: AES-256-GCM by the package `cryptography`, never by ourselves.

A sealed file says nothing but its size: its text, its hash and the names of private topics need the key. Keys come from a
passphrase (scrypt) or from the workspace's own key file (HMAC); 64 hex digits as passphrase are such a key itself.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
import zlib
from typing import Protocol

from silo.errors import BadInput, ServiceDown
from silo.text.lines import encode

PRIVATE = ".silo/private/"
SEALED, PLAIN = "silo1", "plain1"
SCRYPT = {"n": 1 << 15, "r": 8, "p": 1, "maxmem": 64 * 1024 * 1024}  # RFC 7914; about 0.1 s and 32 MB
_HEX_KEY = re.compile(r"[0-9a-f]{64}")
_NONCE = 12


class Sealer(Protocol):
    """How files are made ready for the mirror, and back."""

    sealed: bool

    def name(self, path: str) -> str:
        """What the mirror calls the file."""

    def mark(self, path: str, data: bytes) -> str:
        """64 hex digits that are equal where path and bytes are."""

    def seal(self, agent: str, path: str, data: bytes) -> str:
        """The file as text for the mirror."""

    def open(self, agent: str, name: str, text: str) -> tuple[str, bytes]:
        """(path, bytes) again.

        Raises:
            BadInput: another key, or changed on its way.
        """


def is_there() -> bool:
    """Whether the package can be used."""
    try:
        import cryptography.hazmat.primitives.ciphers.aead  # noqa: F401
    except ImportError:
        return False
    return True


def key_of(passphrase: str, key_file: bytes | None, salt: bytes) -> bytes | None:
    """32 bytes for a mirror, None where there is neither a passphrase nor a key file."""
    if passphrase:
        if _HEX_KEY.fullmatch(passphrase.strip()):
            return _derived(bytes.fromhex(passphrase.strip()))
        return hashlib.scrypt(encode(passphrase), salt=salt, dklen=32, **SCRYPT)
    held = (key_file or b"").strip()
    if not held:
        return None
    text = held.decode("ascii", "replace")
    return _derived(bytes.fromhex(text) if _HEX_KEY.fullmatch(text) else hashlib.sha256(held).digest())


def _derived(key: bytes) -> bytes:
    return hmac.new(key, b"memory-silo mirror 1", hashlib.sha256).digest()


def is_key(text: str) -> bool:
    """Whether a passphrase is a key as `init --mirror` prints it."""
    return _HEX_KEY.fullmatch(text.strip()) is not None


class Sealed:
    """Files encrypted with one key."""

    sealed = True

    def __init__(self, key: bytes) -> None:
        """
        Raises:
            ServiceDown: the package is missing.
        """
        try:
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        except ImportError:
            raise ServiceDown(
                "the package cryptography is missing, so nothing can be encrypted",
                "pip install cryptography; or --plain-text sends the critical state as it is, without private topics",
            ) from None
        self._cipher = AESGCM(key)
        self._key = key
        self.kid = self._keyed("kid", b"")[:8]

    def name(self, path: str) -> str:
        return f"{PRIVATE}{self._keyed('name', encode(path))[:32]}" if path.startswith(PRIVATE) else path

    def mark(self, path: str, data: bytes) -> str:
        return self._keyed("mark", encode(path) + b"\0" + data)

    def seal(self, agent: str, path: str, data: bytes) -> str:
        nonce = secrets.token_bytes(_NONCE)
        sealed = self._cipher.encrypt(nonce, _packed(path, data), self._about(agent, self.name(path)))
        return f"{SEALED}:{self.kid}:{base64.b64encode(nonce + sealed).decode()}"

    def open(self, agent: str, name: str, text: str) -> tuple[str, bytes]:
        if text.startswith(f"{PLAIN}:"):
            return Plain().open(agent, name, text)
        from cryptography.exceptions import InvalidTag

        kind, _, rest = text.partition(":")
        kid, _, body = rest.partition(":")
        if kind != SEALED:
            raise BadInput(f"{name} is in no form that this version knows", "update memory-silo")
        if kid != self.kid:
            raise BadInput(
                f"the mirror was encrypted with another key ({kid}, here {self.kid})",
                "set SILO_PASSPHRASE to the key that `init --mirror` printed, or to the passphrase that was used",
            )
        try:
            raw = base64.b64decode(body, validate=True)
            return _unpacked(self._cipher.decrypt(raw[:_NONCE], raw[_NONCE:], self._about(agent, name)), name)
        except (InvalidTag, binascii.Error, ValueError):
            raise BadInput(f"{name} was changed at the mirror, or belongs elsewhere; it is not read", "sync-critical from a whole device") from None

    def _about(self, agent: str, name: str) -> bytes:
        """What is authenticated beside the bytes: a file can't be put in another one's place."""
        return encode(f"memory-silo 1\x1f{agent}\x1f{name}")

    def _keyed(self, purpose: str, data: bytes) -> str:
        return hmac.new(self._key, encode(purpose) + b"\0" + data, hashlib.sha256).hexdigest()


class Plain:
    """Files as they are, for `--plain-text`."""

    sealed = False

    def name(self, path: str) -> str:
        return path

    def mark(self, path: str, data: bytes) -> str:
        return hashlib.sha256(encode(path) + b"\0" + data).hexdigest()

    def seal(self, agent: str, path: str, data: bytes) -> str:
        return f"{PLAIN}:{base64.b64encode(_packed(path, data)).decode()}"

    def open(self, agent: str, name: str, text: str) -> tuple[str, bytes]:
        if text.startswith(f"{SEALED}:"):
            raise BadInput("the mirror is encrypted", "set SILO_PASSPHRASE to the key that `init --mirror` printed, or to the passphrase that was used")
        try:
            return _unpacked(base64.b64decode(text.partition(":")[2], validate=True), name)
        except (binascii.Error, ValueError):
            raise BadInput(f"{name} was changed at the mirror; it is not read", "sync-critical from a whole device") from None


def _packed(path: str, data: bytes) -> bytes:
    return zlib.compress(encode(path) + b"\0" + data, 6)


def _unpacked(packed: bytes, name: str) -> tuple[str, bytes]:
    try:
        path, _, data = zlib.decompress(packed).partition(b"\0")
    except zlib.error:
        raise ValueError(name) from None
    return path.decode("utf-8", "surrogateescape"), data
