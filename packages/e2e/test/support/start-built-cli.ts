import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { cliBin } from "@siteward/testing/servers/built-programs";

/** A run of the built CLI that is still going on. */
export interface CliRun {
  readonly child: ChildProcess;
  readonly ended: Promise<CliEnd>;
}

/** How a run of the built CLI ended. */
export interface CliEnd {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The most memory that it used, in bytes, as seen every 50 ms. 0 where /proc does not say it. */
  readonly peakBytes: number;
}

/** Starts the built CLI without a terminal, with this environment and no other setting. */
export function startBuiltCli(commandLine: string, env: Readonly<Record<string, string>>, stdin = ""): CliRun {
  const child = spawn(process.execPath, [cliBin, ...commandLine.split(" ")], {
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", ...env },
  });
  child.stdin.on("error", () => undefined).end(stdin);
  let peakBytes = 0;
  const sampling = setInterval(() => {
    peakBytes = Math.max(peakBytes, readPeakBytes(child.pid));
  }, 50);
  const end = async (): Promise<CliEnd> => {
    const output = [child.stdout, child.stderr].map((stream) => text(stream));
    const [exitCode] = await once(child, "close");
    clearInterval(sampling);
    const [stdout = "", stderr = ""] = await Promise.all(output);
    return { exitCode, stdout, stderr, peakBytes };
  };
  return { child, ended: end() };
}

function readPeakBytes(processId: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${processId}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
