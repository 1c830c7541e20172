import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** The built CLI. It starts in a quarter of the time that its sources take, and the tests start it hundreds of times. */
export const binPath: string = fileURLToPath(new URL("../../bin/siteward.js", import.meta.url));

/** Where compiled code is kept between runs: their home does not exist. */
const compileCache = fileURLToPath(new URL("../../node_modules/.cache/siteward", import.meta.url));

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
    NODE_COMPILE_CACHE: compileCache,
    NODE_NO_WARNINGS: "1",
    SITEWARD_KEY_STORE: "file",
    ...env,
  };
}
