import { fileURLToPath } from "node:url";
import { type ProcessResult, startProcess } from "@siteward/testing/start-process";

/** Runs a program of `examples` in a folder. */
export function runExample(
  [name, ...words]: readonly [string, ...string[]],
  settings: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<ProcessResult> {
  const program = fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url));
  const env = { ...process.env, NO_COLOR: "1", ...settings };
  return startProcess([process.execPath, program, ...words], { cwd, env, stdin: "" }).ended;
}
