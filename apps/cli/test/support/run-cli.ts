import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** The tool's first file, as Node runs it from source. */
export const binPath: string = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));

/** How a run ended, and what it wrote. */
export interface RunResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a run gets besides its arguments. */
export interface RunInput {
  /** All of its environment, but for PATH: nothing of the machine's own settings reaches it. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** Runs the tool as a process of its own, off a terminal, to its end. */
export async function runCli(args: readonly string[], { env = {}, stdin = "" }: RunInput = {}): Promise<RunResult> {
  const child = spawn(process.execPath, [binPath, ...args], { env: cleanEnvironment(env) });
  // A tool that refuses its arguments ends without reading what was piped to it.
  child.stdin.on("error", () => undefined).end(stdin);
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { exitCode, stdout, stderr };
}

/** An environment with nowhere to find a profile by accident. */
export function cleanEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", NODE_NO_WARNINGS: "1", ...env };
}
