// Bridges the host's session events to memory-silo's scripts. Never throws: a memory that fails must not stop a chat.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const CONTEXT_MS = 8000; // the host waits for us while a prompt is put together
const MOST_BYTES = 8192;
const ENDS = new Set(["command:new", "command:reset", "session:auto-reset", "session:compact:before"]);
const AGENT = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const here = new Set(["main"]); // agents seen at work in our workspace: a compaction does not say whose workspace it is in

// Where python, the scripts and the workspace are; null where the hook was not installed by `init --hooks`.
export function settings(folder = HERE) {
  try {
    const found = JSON.parse(fs.readFileSync(path.join(folder, "silo.json"), "utf8"));
    return found.python && found.scripts && found.workspace ? found : null;
  } catch {
    return null;
  }
}

function same(one, other) {
  try {
    return fs.realpathSync(one) === fs.realpathSync(other);
  } catch {
    return false;
  }
}

// The host runs every agent's events by us. One that has a workspace of its own has a memory of its own: not ours to read or to tell.
function isOurs(agent, context, silo) {
  if (context.workspaceDir) {
    if (same(context.workspaceDir, silo.workspace)) here.add(agent);
    else here.delete(agent);
  }
  return here.has(agent);
}

// What to run for an event: {script, args, wait} or null.
export function planned(event, silo) {
  const context = (event && event.context) || {};
  const key = String((event && event.sessionKey) || context.sessionKey || "");
  const name = event && event.action ? `${event.type}:${event.action}` : "";
  if (!silo || /:(cron|subagent|acp|boot|heartbeat)(:|$)/.test(key)) return null;
  const agent = String(context.agentId || key.split(":")[1] || "");
  if (!isOurs(agent || "main", context, silo)) return null;
  const who = AGENT.test(agent) && agent !== "main" ? ["--agent-id", agent] : [];
  const common = ["--workspace", silo.workspace, ...who];
  if (ENDS.has(name)) {
    return { script: "extract_session.py", args: ["--scheduled", "--quiet", ...common], wait: false };
  }
  if (name === "agent:bootstrap" && Array.isArray(context.bootstrapFiles)) {
    const group = /:(group|channel|room|thread|topic)(:|$)/.test(key) ? ["--audience", "group"] : [];
    return { script: "memory_cli.py", args: ["context", ...group, ...common], wait: true };
  }
  return null;
}

export default function handler(event, silo = settings()) {
  const plan = planned(event, silo);
  if (!plan) return;
  const command = [path.join(silo.scripts, plan.script), ...plan.args];
  try {
    if (!plan.wait) {
      const child = spawn(silo.python, command, { detached: true, stdio: "ignore", cwd: silo.workspace });
      child.on("error", () => {});
      child.unref();
      return;
    }
    const done = spawnSync(silo.python, command, { timeout: CONTEXT_MS, encoding: "utf8", cwd: silo.workspace, maxBuffer: 1 << 20 });
    const text = done.status === 0 ? String(done.stdout).trim() : "";
    if (text && Buffer.byteLength(text) <= MOST_BYTES) {
      event.context.bootstrapFiles.push({
        name: "MEMORY-SILO.md", path: path.join(silo.workspace, "memory", "context.md"), content: `${text}\n`, missing: false,
      });
    }
  } catch {
    // the next scheduled run does what this one could not
  }
}
