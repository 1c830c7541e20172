import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** A GNOME Keyring on a D-Bus session of its own. Nothing of the machine's own keyring is read or changed. */
export interface TestKeyring extends AsyncDisposable {
  /** The environment in which the CLI finds the keyring. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns the API keys that it stores for the CLI. */
  readonly storedKeys: () => readonly string[];
  /** Ends the keyring, as a logout of the desktop does. */
  readonly end: () => Promise<void>;
}

/** The programs of a keyring (Debian packages dbus and gnome-keyring). */
export const keyringPrograms = ["dbus-daemon", "dbus-send", "gnome-keyring-daemon"] as const;

const listKeys = `
  const { findCredentials } = require("@napi-rs/keyring");
  console.log(JSON.stringify(findCredentials("siteward").map(({ password }) => password)));`;

/** Starts a keyring that is unlocked and empty. */
export async function openKeyring(): Promise<TestKeyring> {
  const folder = await createTemporaryFolder();
  const runtimeFolder = join(folder.path, "run");
  await mkdir(runtimeFolder, { mode: 0o700 });
  const session = join(folder.path, "session.conf");
  await writeFile(session, sessionConfig(runtimeFolder));
  const bus = spawn("dbus-daemon", ["--nofork", "--print-address", `--config-file=${session}`]);
  const [address] = await once(bus.stdout, "data");
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder.path,
    XDG_RUNTIME_DIR: runtimeFolder,
    DBUS_SESSION_BUS_ADDRESS: String(address).trim(),
  };
  const daemon = spawn("gnome-keyring-daemon", ["--foreground", "--unlock", "--components=secrets"], {
    env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  daemon.stdin.end("password of the keyring");
  while (!hasSecretService(env)) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    env: { ...env, SITEWARD_KEY_STORE: "auto" },
    storedKeys: () => {
      const cwd = fileURLToPath(new URL("../..", import.meta.url));
      return JSON.parse(execFileSync(process.execPath, ["-e", listKeys], { cwd, env, encoding: "utf8" }));
    },
    end: () => end(daemon),
    [Symbol.asyncDispose]: async () => {
      await end(daemon);
      await end(bus);
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A session without services that it could start by itself, such as a second keyring. */
function sessionConfig(folder: string): string {
  return `<busconfig>
    <type>session</type>
    <listen>unix:path=${folder}/bus</listen>
    <auth>EXTERNAL</auth>
    <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
  </busconfig>`;
}

function hasSecretService(env: Readonly<Record<string, string>>): boolean {
  const call = ["--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus"];
  const args = [...call, "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.secrets"];
  return spawnSync("dbus-send", args, { env, encoding: "utf8" }).stdout.includes("boolean true");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}
