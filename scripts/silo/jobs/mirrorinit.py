"""The job behind `init --mirror`: a key to encrypt with, shown once, and the mirror's tables or folder."""

from __future__ import annotations

import os

from silo.edge import crypto
from silo.jobs.mirror import Where, adopt_key, key_file, target_of
from silo.jobs.run import Call, Report
from silo.jobs.sync import HOW
from silo.model import Put

SHOWN = "mirror-key"  # in the table `installed` of state.db


def init_mirror(call: Call) -> Report:
    """What sync-critical needs is there. A key in SILO_PASSPHRASE, as another device printed it, becomes this device's own.

    Raises:
        BadInput: an address that is refused.
        ServiceDown: the mirror did not answer; the key is there.
    """
    report = Report(data={"key": None, "mirror": None})
    target = target_of(call, Where())
    if call.dry_run:
        report.lines = ["OK .silo/key would be made where there is none" + (f", and what {target.label} needs" if target else "")]
        return report
    workspace = call.open(create=True)
    passphrase = os.environ.get("SILO_PASSPHRASE", "").strip()
    with workspace.job("mirror", wait=30.0):
        given = adopt_key(workspace)
    if given:
        workspace.state.apply([Put("installed", SHOWN, "given")])
        report.lines.append("OK the key of SILO_PASSPHRASE is this device's key now, in .silo/key")
    elif passphrase:
        report.lines.append("OK SILO_PASSPHRASE encrypts; keep it where you will find it without this machine")
    else:
        workspace.key(make=True)
        text = (key_file(workspace) or b"").decode("ascii", "replace").strip()
        if workspace.state.get("installed", SHOWN) is None:
            report.lines += [f"KEY {text}", "NEXT write the key down in another place: without it nobody reads the mirror, you included; it is shown once"]
            report.data = {"key": text, "mirror": None}
            workspace.state.apply([Put("installed", SHOWN, call.today.isoformat())])
        else:
            report.lines.append("OK the key was shown already; it stands in .silo/key")
    if not crypto.is_there():
        report.lines.append("NOTE the package cryptography is missing: sync-critical sends cold rows alone until it is there (pip install cryptography)")
    if target is None:
        report.lines.append(f"NEXT {HOW}")
    else:
        target.init()
        report.lines.append(f"OK {target.label} is ready")
        report.lines.append("NEXT memory_cli.py sync-critical")
        if isinstance(report.data, dict):
            report.data["mirror"] = target.label
    return report
