import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@siteward/testing/random";
import { patienceMs } from "../patience.ts";

/** A system call on the database's files that fails. */
export interface Fault {
  /** System calls, comma-separated. */
  readonly calls: string;
  readonly error: "EIO" | "ENOSPC";
  /** Which of the calls fails, counted from 1. */
  readonly nth: number;
  /** Whether all later calls fail too. */
  readonly isLasting: boolean;
}

interface Kind extends Pick<Fault, "calls" | "error"> {
  /** About how many of these calls a round makes, so that any of them can be the one that fails. */
  readonly maxNth: number;
}

const kinds: readonly Kind[] = [
  { calls: "fsync,fdatasync", error: "EIO", maxNth: 15 },
  { calls: "pwrite64", error: "ENOSPC", maxNth: 200 },
  { calls: "fsync,fdatasync", error: "EIO", maxNth: 4 },
  { calls: "pwrite64", error: "EIO", maxNth: 200 },
  { calls: "fsync,fdatasync", error: "ENOSPC", maxNth: 8 },
  { calls: "pread64", error: "EIO", maxNth: 10 },
  { calls: "ftruncate", error: "EIO", maxNth: 2 },
];

/** Chooses the fault of a round. The rounds use every kind in turn. */
export function chooseFault(random: Random, round: number): Fault {
  const kind = kinds[round % kinds.length];
  if (kind === undefined) throw new Error("No kind of fault is defined.");
  const { calls, error, maxNth } = kind;
  return { calls, error, nth: random.integer(1, maxNth), isLasting: random.chance(0.2) };
}

/** Returns the strace options that inject a fault into a database's file, its write-ahead log and the log's index. */
export function toStraceOptions({ calls, error, nth, isLasting }: Fault, file: string): string[] {
  const files = [file, `${file}-wal`, `${file}-shm`].flatMap((path) => ["-P", path]);
  const when = `${nth}${isLasting ? "+" : ""}`;
  return [...files, "-s", "0", "-e", `trace=${calls}`, "-e", `inject=${calls}:error=${error}:when=${when}`];
}

export function describeFault({ error, calls, nth, isLasting }: Fault): string {
  return `${error} at ${calls} ${nth}${isLasting ? " and all after it" : ""}`;
}

/** strace on the threads of a process, until it is disposed. */
export interface Tracer extends AsyncDisposable {
  /** What strace has written so far. */
  readonly output: () => string;
}

export interface TracerOptions {
  readonly processId: number;
  /** Options of strace, such as `-e trace=fsync`. */
  readonly options: readonly string[];
  /** The file that strace writes. */
  readonly outputFile: string;
}

/** Attaches strace to a running process. */
export async function attachStrace({ processId, options, outputFile }: TracerOptions): Promise<Tracer> {
  const words = ["-f", "-o", outputFile, ...options, "-p", String(processId)];
  const strace = spawn("strace", words, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(strace, "exit");
  await waitUntilAttached(strace);
  return {
    output: () => readFileSync(outputFile, "utf8"),
    [Symbol.asyncDispose]: async () => {
      strace.kill("SIGINT");
      await ended;
    },
  };
}

async function waitUntilAttached(strace: ChildProcess): Promise<void> {
  let said = "";
  strace.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
  });
  for (const endMs = Date.now() + patienceMs; Date.now() < endMs; await sleep(5)) {
    if (/ attached/.test(said)) return;
    if (strace.exitCode !== null) break;
  }
  strace.kill("SIGKILL");
  throw new Error(`strace did not attach: ${said}`);
}
