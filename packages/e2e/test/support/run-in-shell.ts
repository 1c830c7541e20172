import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { cliBin } from "./built-server.ts";

/** How a shell command with the CLI ended, and what reached the test. */
export interface ShellRun {
  /** That of the CLI, even if it is not the last command. Null if a signal ended it. */
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the built CLI in a shell, without a terminal.
 *
 * @param redirection what follows the CLI, such as `>/dev/full` or `| head -1`
 */
export async function runInShell(
  args: readonly string[],
  redirection: string,
  env: Readonly<Record<string, string>>,
): Promise<ShellRun> {
  const script = `{ "$@"; echo $? >&3; } ${redirection}`;
  const child = spawn("/bin/sh", ["-c", script, "sh", process.execPath, cliBin, ...args], {
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", SITEWARD_KEY_STORE: "file", ...env },
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  const [, stdout, stderr, status] = child.stdio;
  if (status === null || status === undefined || !("on" in status) || !(Symbol.asyncIterator in status)) {
    throw new Error("The shell has no third stream.");
  }
  child.stdin.end();
  const [written, errors, code] = await Promise.all([text(stdout), text(stderr), text(status), once(child, "close")]);
  return { exitCode: Number(code), stdout: written, stderr: errors };
}
