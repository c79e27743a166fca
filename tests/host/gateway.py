"""The gateway's own protocol over one WebSocket, for the turns of a conversation: a command line's start costs more than a turn.

It connects as a local program with the gateway's token, as the host's documents describe it; no device is paired.
"""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
import uuid
from typing import Any

SCOPES = ["operator.admin", "operator.read", "operator.write"]


class Refused(Exception):
    """The gateway answered with an error, or is not up yet."""


class Gateway:
    """One connection. `call` waits for the answer; events that come between are passed over."""

    def __init__(self, port: int, token: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=300)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = ("GET / HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13")
        self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self._stream = self._socket.makefile("rb")
        assert b" 101 " in self._stream.readline()
        while self._stream.readline().strip():
            pass
        client = {"id": "gateway-client", "version": "1", "platform": "linux", "mode": "backend"}
        self.call(
            "connect", minProtocol=4, maxProtocol=4, client=client, role="operator", scopes=SCOPES,
            caps=[], commands=[], permissions={}, auth={"token": token}, locale="en-US", userAgent="test",
        )  # fmt: skip

    def call(self, method: str, **params: Any) -> Any:
        """The payload of the answer.

        Raises:
            Refused: the gateway does not do it.
        """
        ident = str(uuid.uuid4())
        self._send(json.dumps({"type": "req", "id": ident, "method": method, "params": params}).encode())
        while True:
            frame = self._receive()
            if frame.get("type") == "res" and frame.get("id") == ident:
                if not frame.get("ok"):
                    raise Refused(f"{method}: {frame.get('error')}")
                payload = frame.get("payload")
                if not (isinstance(payload, dict) and payload.get("status") == "accepted" and method == "agent"):
                    return payload  # of a turn the first answer says that it was taken, the second one what came of it

    def close(self) -> None:
        """End the connection."""
        self._socket.close()

    def _send(self, data: bytes, kind: int = 1) -> None:
        mask, size = os.urandom(4), len(data)
        head = bytes([0x80 | kind])
        head += bytes([0x80 | size]) if size < 126 else struct.pack(">BH", 0xFE, size) if size < 1 << 16 else struct.pack(">BQ", 0xFF, size)
        self._socket.sendall(head + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(data)))

    def _receive(self) -> dict[str, Any]:
        """The next message as JSON, its fragments joined; a ping is answered."""
        whole = b""
        while True:
            head = self._stream.read(2)
            if len(head) < 2 or head[0] & 0x0F == 8:
                raise Refused("the gateway closed the connection")
            first, second = head
            size = second & 0x7F
            if size >= 126:
                (size,) = struct.unpack(">H", self._stream.read(2)) if size == 126 else struct.unpack(">Q", self._stream.read(8))
            data = self._stream.read(size)
            kind = first & 0x0F
            if kind == 9:
                self._send(data, 10)
            elif kind in (0, 1, 2):
                whole += data
                if first & 0x80:
                    found = json.loads(whole)
                    assert isinstance(found, dict)
                    return found
