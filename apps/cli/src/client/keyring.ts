import type { ChildProcess } from "node:child_process";
import { extname } from "node:path";
import { startProgress } from "../output/progress.ts";
import { CliError } from "../process/cli-error.ts";
import { type Io, isInteractive } from "../process/io.ts";

/** What the process of the keyring is sent. */
export type KeyringRequest =
  | { readonly operation: "read" | "remove"; readonly entry: string }
  | { readonly operation: "write"; readonly entry: string; readonly apiKey: string };

/** What it answers: the API key, or why the keyring cannot be used, as a clause. */
export type KeyringAnswer = { readonly apiKey: string | null } | { readonly problem: string };

/** How long a person has to unlock the keyring, if it asks for that. */
const unlockTimeoutMs = 60_000;
const unattendedTimeoutMs = 5_000;

/**
 * Sends one request to the keyring of the operating system: the Keychain, the Credential Manager, or a Secret Service
 * such as GNOME Keyring.
 *
 * The request runs in a process of its own. The library connects to the keyring with a call that blocks, without a
 * limit, and a keyring that is locked on a machine without a screen never answers.
 *
 * @returns the API key if the request is to read one; null if the entry does not exist
 * @throws CliError `settings_unusable` if the keyring cannot be used or does not answer in time
 */
export async function askKeyring(io: Io, request: KeyringRequest): Promise<string | null> {
  if (!mayHaveKeyring(io)) throw unusable("no D-Bus session was found (DBUS_SESSION_BUS_ADDRESS)");
  using _progress = startProgress(io, { label: "Waiting for the keyring" });
  const timeout = isInteractive(io) ? unlockTimeoutMs : unattendedTimeoutMs;
  const { fork } = await import("node:child_process");
  const program = new URL(`./keyring-process${extname(import.meta.url)}`, import.meta.url);
  const stdio = ["ignore", "ignore", "ignore", "ipc"] as const;
  const child = fork(program, { env: io.env, execArgv: [], stdio: [...stdio], timeout, killSignal: "SIGKILL" });
  const answer = await exchange(child, request);
  if (answer === undefined) {
    throw unusable(
      child.killed ? `it did not answer within ${timeout / 1000} s` : "its process ended without an answer",
    );
  }
  if ("problem" in answer) throw unusable(answer.problem);
  return answer.apiKey;
}

/** Whether a keyring can exist here. A Secret Service is reached through a D-Bus session, which most servers lack. */
export function mayHaveKeyring({ env, platform }: Pick<Io, "env" | "platform">): boolean {
  const hasSession = Boolean(env["DBUS_SESSION_BUS_ADDRESS"] || env["XDG_RUNTIME_DIR"]);
  return platform === "darwin" || platform === "win32" || hasSession;
}

/** Returns the answer of the process; undefined if it ended without one. */
function exchange(child: ChildProcess, request: KeyringRequest): Promise<KeyringAnswer | undefined> {
  return new Promise((resolve, reject) => {
    child.once("message", (answer: KeyringAnswer) => resolve(answer));
    child.once("disconnect", () => resolve(undefined));
    child.once("error", reject);
    child.send(request);
  });
}

function unusable(problem: string): CliError {
  return new CliError(
    "settings_unusable",
    `The keyring of this system cannot be used: ${problem}.`,
    "Unlock it and repeat the command. Or set SITEWARD_KEY_STORE=file, which leaves it alone: a login then stores the API key " +
      "in a file that only you can read.",
  );
}

const keyStores = ["auto", "keyring", "file"] as const;

/**
 * Returns where a login stores API keys, from `SITEWARD_KEY_STORE`. With `auto`, the default, that is the keyring if it
 * can be used, else the profile file.
 *
 * @throws CliError `usage`
 */
export function keyStoreSetting({ env }: Pick<Io, "env">): (typeof keyStores)[number] {
  const text = env["SITEWARD_KEY_STORE"] || "auto";
  const setting = keyStores.find((name) => name === text);
  if (setting !== undefined) return setting;
  throw new CliError("usage", `SITEWARD_KEY_STORE is "${text}". Set it to auto, keyring or file.`);
}
