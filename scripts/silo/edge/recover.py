"""What a crash left behind is finished or cleared away at the next start. Holds no lock: callers do."""

from __future__ import annotations

from silo.edge import runs
from silo.edge.commit import roll
from silo.edge.fs import remove_tree, trouble
from silo.edge.places import UNDONE_YET
from silo.edge.site import Site


def recover(site: Site) -> list[str]:
    """No run is half done any more; one sentence for each that was.

    A run without manifest had changed nothing and is cleared away. One with a manifest is rolled forward file by file:
    what holds the old bytes gets the new ones, what holds neither was edited by a person and stays.

    Raises:
        Conflict: the system refuses to finish it.
        BadInput: a newer version of memory-silo left it.
    """
    said: list[str] = []
    for folder in site.places.unfinished():
        name = folder.name.removesuffix(UNDONE_YET)
        try:
            run = runs.load(folder)
            if run is None:
                remove_tree(site.fs, folder)
                said.append(
                    f"Run {name} was cut off before it changed anything; its leftovers are cleared away."
                )
                continue
            done = roll(site, folder, run)
        except runs.Damaged as damage:
            aside = folder.with_name(f"{name}.damaged")
            site.fs.rename(folder, aside)
            said.append(f"{damage}. Run {name} can't be finished; it is set aside in {aside}, see `doctor`.")
            continue
        except OSError as error:
            raise trouble(error, f"finishing run {name}, which was cut off") from error
        told = f"Run {name} ({run.job}) was cut off and is finished now."
        if done.kept:
            told += f" Edited by hand meanwhile and left as they are: {', '.join(done.kept)}; see `review`."
        said.append(told)
    return said
