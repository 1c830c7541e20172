import { execFile } from "node:child_process";
import { cliBin } from "./built-server.ts";

/** How a run of the built CLI ended, and what it printed. */
export interface CliRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built CLI without a terminal and without a profile. */
export function runBuiltCli(words: readonly string[], settings: Readonly<Record<string, string>>): Promise<CliRun> {
  const env = { PATH: process.env["PATH"], HOME: "/nonexistent", ...settings };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [cliBin, ...words], { env }, (_error, stdout, stderr) => {
      resolve({ exitCode: child.exitCode ?? -1, stdout, stderr });
    });
    child.stdin?.end();
  });
}
