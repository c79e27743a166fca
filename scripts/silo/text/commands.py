"""Shell commands in a text: those set as code, those after a prompt sign, and those that prose spells out in full.

What reads like a command but is prose (`make sure`, `find the time`, `cat food`) is no command: outside code a word
counts only with what a command line has and a sentence has not, a known subcommand, a flag, an address or a path behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Programs, with the subcommands that mark one in prose; no subcommands: an argument of a command line has to follow.
_PROGRAMS: dict[str, str] = {
    "git": "clone pull push commit checkout rebase merge fetch add stash log diff switch restore init tag reset bisect submodule remote status branch cherry-pick worktree show blame",
    "docker": "run compose build pull push exec logs ps stop start restart rm rmi images volume network system inspect cp login tag save load stats",
    "docker-compose": "up down build logs pull exec restart ps run stop start",
    "podman": "run build pull push exec logs ps stop start rm images",
    "kubectl": "apply get describe delete logs exec rollout scale port-forward create edit config cordon drain top",
    "helm": "install upgrade repo uninstall rollback list template",
    "terraform": "init plan apply destroy import state fmt validate output workspace",
    "ansible-playbook": "", "vagrant": "up halt ssh destroy reload",
    "npm": "install i ci run test start publish init audit update exec link outdated uninstall",
    "npx": "", "pnpm": "install add run dev build exec dlx test", "yarn": "install add run dev build test dlx", "bun": "install add run test x",
    "node": "", "deno": "run task test install", "tsc": "",
    "pip": "install uninstall list freeze show download", "pip3": "install uninstall list freeze show",
    "pipx": "install run upgrade", "uv": "pip sync run add venv lock tool", "poetry": "install add run update lock build publish", "conda": "install create activate env update",
    "python": "", "python3": "", "pytest": "", "ruff": "check format", "mypy": "", "black": "", "tox": "", "jupyter": "lab notebook nbconvert",
    "cargo": "build run test install add update fmt clippy publish check", "rustup": "update install target default", "go": "build run test mod get install fmt vet generate",
    "gradle": "build test run clean", "mvn": "clean install package test verify deploy", "java": "", "javac": "", "dotnet": "run build test publish restore",
    "make": "", "cmake": "", "ninja": "", "gcc": "", "clang": "",
    "apt": "install update upgrade remove purge search autoremove full-upgrade", "apt-get": "install update upgrade remove purge autoremove", "dnf": "install update upgrade remove",
    "yum": "install update remove", "pacman": "", "apk": "add del update", "brew": "install upgrade update uninstall services tap cask", "snap": "install remove refresh",
    "flatpak": "install run update", "nix-shell": "", "winget": "install upgrade", "choco": "install upgrade",
    "systemctl": "start stop restart status enable disable daemon-reload reload", "journalctl": "", "service": "",
    "ssh": "", "scp": "", "rsync": "", "sftp": "", "ssh-keygen": "", "ssh-copy-id": "", "curl": "", "wget": "", "ping": "", "dig": "", "nslookup": "", "traceroute": "", "nmap": "", "nc": "",
    "tar": "", "unzip": "", "zip": "", "gzip": "", "zstd": "", "7z": "",
    "ls": "", "cd": "", "cp": "", "mv": "", "rm": "", "mkdir": "", "rmdir": "", "ln": "", "touch": "", "cat": "", "less": "", "tail": "", "head": "", "grep": "", "rg": "", "find": "", "sed": "",
    "awk": "", "xargs": "", "sort": "", "wc": "", "diff": "", "chmod": "", "chown": "", "df": "", "du": "", "mount": "", "umount": "", "dd": "", "lsblk": "", "fsck": "", "echo": "", "export": "",
    "source": "", "which": "", "kill": "", "pkill": "", "ps": "", "top": "", "htop": "", "nohup": "", "screen": "", "tmux": "attach new kill-session ls", "crontab": "", "watch": "",
    "psql": "", "mysql": "", "sqlite3": "", "redis-cli": "", "mongosh": "", "pg_dump": "", "pg_restore": "", "createdb": "",
    "ffmpeg": "", "ffprobe": "", "convert": "", "magick": "", "yt-dlp": "", "pandoc": "", "jq": "", "vim": "", "nano": "", "code": "", "openssl": "", "gpg": "", "certbot": "certonly renew",
    "aws": "s3 ec2 lambda configure sts iam ecr rds logs cloudformation ecs eks", "gcloud": "auth config run compute app builds container projects", "az": "login group vm webapp storage aks",
    "gh": "pr issue repo auth release run workflow api", "flyctl": "deploy launch logs", "fly": "deploy launch logs", "vercel": "deploy env", "netlify": "deploy dev", "heroku": "create logs config",
    "ollama": "run pull list serve create rm", "huggingface-cli": "download login upload whoami", "llama-server": "", "vllm": "serve",
    "openclaw": "gateway skills cron memory hooks doctor config infer agent channels plugins models sessions", "clawhub": "skill login search install", "claude": "mcp config update",
    "turso": "db auth group", "wrangler": "deploy dev publish tail", "supabase": "start stop db functions", "restic": "backup restore snapshots init forget prune check", "borg": "create list extract prune init check",
    "adb": "devices shell install logcat push pull", "platformio": "run init", "esptool.py": "", "arduino-cli": "compile upload",
    "powershell": "", "pwsh": "", "bash": "", "sh": "", "zsh": "", "sudo": "", "env": "", "time": "", "hugo": "server new", "jekyll": "serve build", "bundle": "install exec", "rails": "server new generate console",
    "composer": "install require update", "php": "", "ruby": "", "perl": "", "swift": "build run test", "xcodebuild": "", "flutter": "run build pub doctor", "ng": "serve build generate",
}  # fmt: skip
_SUBCOMMANDS = {name: frozenset(words.split()) for name, words in _PROGRAMS.items()}
_BEFORE = frozenset(["sudo", "nohup", "time", "env", "watch", "exec"])
_ASSIGNED = re.compile(r"[A-Z_][A-Z0-9_]*=\S*$")
_FENCE = re.compile(r"^[ \t]*(?P<fence>```+|~~~+)[ \t]*(?P<lang>[\w+-]*)[^\n]*\n(?P<body>.*?)(?:^[ \t]*(?P=fence)[ \t]*$|\Z)", re.M | re.S)
_SHELLS = frozenset(["", "bash", "sh", "shell", "zsh", "console", "terminal", "shell-session", "powershell", "cmd", "fish"])
_INLINE = re.compile(r"(?<!`)`([^`\n]{2,300})`(?!`)")
_PROMPT = re.compile(r"^[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(?:(?:[\w.-]+@[\w.-]+:\S*)?[$#%❯➜][ \t]+|PS [^>\n]*>[ \t]*)(?P<line>\S[^\n]*)$", re.M)
_LABELLED = re.compile(r"\((?:Commands?): ([^()]*)\)")  # as `store --command` writes it
_WORD = re.compile(r"\S+")
_ARGUMENT = re.compile(r"-{1,2}[A-Za-z]|[^\s]*://|[~.]{0,2}/[^\s]|[^\s]*[/=@][^\s]|[\w-]+\.[A-Za-z]\w{0,5}$|[\w-]+:[\w.-]+$|\.$|\*\.|\||>|&&|[\"'{$]")
_STOPS = frozenset(
    ["and", "or", "then", "to", "for", "from", "with", "in", "on", "at", "of", "so", "but", "because", "which", "that", "this", "it", "is", "are", "was", "were", "will", "we", "you", "i", "if", "when", "before", "after", "until", "while", "as", "e", "ou", "para", "por", "com", "em", "no", "na", "do", "da", "de", "que", "isso", "isto", "se", "quando", "antes", "depois", "até", "enquanto", "porque", "mas", "como", "fica", "ficou", "is:", "there", "here", "again", "first", "once", "now", "every", "each", "daily", "nightly", "instead", "works", "worked", "fails", "failed", "does", "did"]
)
_VALUES = frozenset(["in", "on", "at", "is", "this", "before", "after", "here", "again", "first", "once", "now", "every", "each", "daily", "nightly"])  # those that an option may have
_END = ".,;:!?)]}”’»…"
_BREAKS = ".,;!?)"
_VALUE = re.compile(r"[\w.+@~^-]+")
# Programs whose names are words of English that a sentence may put before anything.
_ENGLISH = frozenset(["go", "service", "code", "fly", "time", "make", "source", "head", "top", "find", "cat", "which", "sort", "watch", "screen", "convert", "echo", "less", "touch", "kill", "export", "env"])
LONGEST = 300  # characters of a command


def commands_of(text: str) -> tuple[str, ...]:
    """The commands in a text, each once, in the order of the text; without prompt signs and the sentence around them."""
    found: list[tuple[int, str]] = []
    taken: list[tuple[int, int]] = []
    for hit in _LABELLED.finditer(text):
        found += [(hit.start(), part) for part in hit[1].split(", ")]
        taken.append(hit.span())
    for fence in _FENCE.finditer(text):
        taken.append(fence.span())
        found += _in_code(fence["body"], fence["lang"].lower(), fence.start("body"))
    for hit in _INLINE.finditer(text):
        if not _within(hit.start(), taken):
            taken.append(hit.span())
            if _is_command(hit[1].strip()):
                found.append((hit.start(), hit[1].strip()))
    for hit in _PROMPT.finditer(text):
        line = hit["line"].strip()
        if not _within(hit.start("line"), taken) and _is_command(line):
            taken.append(hit.span("line"))
            found.append((hit.start("line"), line))
    found += [(at, command) for at, command in _in_prose(text) if not _within(at, taken)]
    ordered = (command for _, command in sorted(found, key=lambda one: one[0]) if 1 < len(command) <= LONGEST)
    return tuple(dict.fromkeys(ordered))


def _within(at: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in spans)


def _in_code(body: str, lang: str, at: int) -> Iterator[tuple[int, str]]:
    """The command lines of a block of code; a line ended by a backslash goes on. Other languages than a shell's have none."""
    if lang not in _SHELLS:
        return
    joined = re.sub(r"[ \t]*\\\n[ \t]*", " ", body)
    prompted = [hit["line"].strip() for hit in _PROMPT.finditer(joined)]
    lines = prompted or [line.strip() for line in joined.split("\n")]
    for number, line in enumerate(lines):
        line = re.sub(r"\s+#\s.*$", "", line)
        if line and not line.startswith("#") and (prompted or _is_command(line)):
            yield at + number, line


def _is_command(line: str) -> bool:
    """Whether a line set as code calls a program: by name with something behind it, or a script by its path."""
    words = _bare(line.split())
    if not words:
        return False
    name = words[0].rsplit("/", 1)[-1]
    if words[0].startswith(("./", "~/", "/")):
        return len(words) > 1 or name.endswith((".sh", ".py", ".bash"))
    if name not in _SUBCOMMANDS or name != words[0]:
        return False
    subcommands = _SUBCOMMANDS[name]
    if len(words) == 1:
        return False
    return not subcommands or words[1] in subcommands or bool(_ARGUMENT.match(words[1])) or len(words) > 2


def _bare(words: list[str]) -> list[str]:
    """Without what stands before a program's name: sudo, an assigned variable."""
    at = 0
    while at < len(words) and (words[at] in _BEFORE or _ASSIGNED.match(words[at])):
        at += 1
    return words[at:]


def _in_prose(text: str) -> Iterator[tuple[int, str]]:
    """Commands that a sentence spells out: a program's name with its subcommand or an argument, up to where prose goes on."""
    for line in re.finditer(r"[^\n]+", text):
        words = [(word.start() + line.start(), word[0]) for word in _WORD.finditer(line[0])]
        at = 0
        while at < len(words):
            # No command of LONGEST characters has more words: a line of any length is read in time that grows with it.
            length = _length([word for _, word in words[at : at + LONGEST // 2]]) if words[at][1] in _SUBCOMMANDS else 0
            if length:
                start = words[at - 1][0] if at and words[at - 1][1] == "sudo" else words[at][0]
                yield start, text[start : words[at + length - 1][0] + len(words[at + length - 1][1])].rstrip(_END + "|>& ")
            at += length or 1


def _length(words: list[str]) -> int:
    """How many words the command at the front of them has, 0 if there is none."""
    name = words[0]
    if name not in _SUBCOMMANDS or len(words) < 2:
        return 0
    known = _SUBCOMMANDS[name]
    second = words[1].rstrip(_END)
    if second in known and (name not in _ENGLISH or (len(words) > 2 and _ARGUMENT.match(words[2]))):
        spare = 1  # one word of any kind may follow a subcommand: `apt install ffmpeg`
    elif _ARGUMENT.match(second) and _shows_itself(name, second):
        spare = 0
    else:
        return 0
    taken = 2
    while taken < len(words) and words[taken - 1][-1] not in _BREAKS:
        core = words[taken].rstrip(_END)
        valued = words[taken - 1].startswith("-")
        if not core or (core.lower() in _STOPS and not (core.lower() in _VALUES and words[taken - 1].startswith("--"))):
            break
        if core in known:
            spare = 1
        elif not _ARGUMENT.match(core) and not (valued and _VALUE.fullmatch(core)):
            flagged = taken + 1 < len(words) and words[taken + 1].startswith("-") and len(words[taken + 1]) > 1
            if not (spare or flagged) or not _VALUE.fullmatch(core):
                break
            spare = 0
        taken += 1
    return taken


def _shows_itself(name: str, argument: str) -> bool:
    """Whether an argument alone shows that the word before it is a program: `find /var`, and not `make a/b tests`."""
    if argument.startswith("-") or "://" in argument:
        return True
    if name in _ENGLISH:
        return argument.startswith(("/", "./", "~/", "../"))
    return argument[:1] not in "\"'{" or name in ("ssh", "grep", "rg", "psql", "echo")
