"""Property tests try the same examples on every run; HYPOTHESIS_PROFILE=default tries new ones, before a release or in search of a fault."""

from __future__ import annotations

import os
from importlib.util import find_spec

if find_spec("hypothesis"):  # the tests beside the real host run without it
    from hypothesis import HealthCheck, settings

    settings.register_profile("same", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
