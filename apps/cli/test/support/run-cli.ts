import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** The entry file of the CLI, which Node runs from source. */
export const binPath: string = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));

/** How a run ended, and what it wrote. */
export interface RunResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The input of a run, apart from its arguments. */
export interface RunInput {
  /** The environment, apart from PATH. No setting of the machine reaches the run. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** Runs the CLI as a separate process without a terminal, and waits until it exits. */
export async function runCli(args: readonly string[], { env = {}, stdin = "" }: RunInput = {}): Promise<RunResult> {
  const child = spawn(process.execPath, [binPath, ...args], { env: cleanEnvironment(env) });
  // If the CLI refuses its arguments, it exits without reading stdin.
  child.stdin.on("error", () => undefined).end(stdin);
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { exitCode, stdout, stderr };
}

/** Returns an environment in which no profile can be found by accident, and no key is stored in the keyring of the machine. */
export function cleanEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: "/nonexistent",
    NODE_NO_WARNINGS: "1",
    SITEWARD_KEY_STORE: "file",
    ...env,
  };
}
