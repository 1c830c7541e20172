import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { findNodeProcess, readDescendantIds } from "../process-tree.ts";
import { serverBin } from "./built-programs.ts";

export interface ServerOptions {
  /** Number of processes that answer requests. Default: 1. */
  readonly workers?: number;
  /** Settings by their environment variable, and other variables. The limits of requests are off unless they are set here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** More words after `start`. */
  readonly words?: readonly string[];
  /** A command line in front of the server's own, such as `["prlimit", "--nofile=64"]`. */
  readonly wrapper?: readonly string[];
  /** Default: a free port. */
  readonly port?: number;
  /** The program to start instead of the built server, such as an installed one. */
  readonly program?: string;
  /** Whether nobody reads its log, which takes this process's share of a core. Then only its first process may listen. */
  readonly ignoresLog?: boolean;
}

/** The built server in its own process. */
export interface TargetServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The first process: the server itself, or the one that starts the workers. */
  readonly processId: number;
  /** The processes that answer requests: the workers, or the server itself. */
  readonly answeringIds: () => number[];
  /** The log so far, at most its last 1 MiB. */
  readonly log: () => string;
  /** Settles when the first process has ended. */
  readonly ended: Promise<ProcessEnd>;
  readonly hasEnded: () => boolean;
  /** Kills all of its processes with SIGKILL, and waits until they have ended. */
  readonly kill: () => Promise<ProcessEnd>;
  /** Asks the server to shut down, and waits for that. After 20 seconds it is killed. */
  readonly stop: () => Promise<ProcessEnd>;
}

interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Tests send more requests and changes than a client should. One that tests a limit sets it. */
const unlimited = { SITEWARD_RATE_LIMIT: "0", SITEWARD_TRAIL_LIMIT: "0" };
const maxLogLength = 1024 * 1024;
const startTimeoutMs = 120_000;
const stopTimeoutMs = 20_000;
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) killTree(child.pid);
});

/** Starts the built server on a database, and waits until all of its processes listen. */
export async function startServer(databaseUrl: string, options: ServerOptions = {}): Promise<TargetServer> {
  const { workers = 1, settings = {}, words: more = [], wrapper = [], port = 0, program = serverBin } = options;
  const { ignoresLog = false } = options;
  const [command = process.execPath, ...words] = [...wrapper, process.execPath, program, "start", ...more];
  const child = spawn(command, [...words, "--port", String(port), "--workers", String(workers)], {
    env: {
      ...process.env,
      ...unlimited,
      DATABASE_URL: databaseUrl,
      // With workers, it prints its URL when the first of them listens. The log says when the others do.
      LOG_LEVEL: workers > 1 ? "info" : "warn",
      ...settings,
    },
    stdio: ["ignore", "pipe", ignoresLog ? "ignore" : "pipe"],
  });
  running.add(child);
  const log = collectLog(child);
  const ended = once(child, "exit").then(([code, signal]): ProcessEnd => ({ code, signal }));
  void ended.finally(() => running.delete(child));
  try {
    const url = await readUrl(child, log, ignoresLog ? 1 : workers);
    return describe(child, { url, log, ended, workers });
  } catch (error) {
    killTree(child.pid);
    throw error;
  }
}

interface Started {
  readonly url: string;
  readonly log: () => string;
  readonly ended: Promise<ProcessEnd>;
  readonly workers: number;
}

function describe(child: ChildProcess, { url, log, ended, workers }: Started): TargetServer {
  const wrapperId = child.pid ?? 0;
  const processId = findNodeProcess(wrapperId) ?? wrapperId;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const kill = async () => {
    // Another process may have the id of one that has ended.
    if (!hasEnded()) killTree(wrapperId);
    return await ended;
  };
  const stop = async () => {
    if (!hasEnded()) process.kill(processId, "SIGTERM");
    const timer = setTimeout(kill, stopTimeoutMs);
    return await ended.finally(() => clearTimeout(timer));
  };
  return {
    url,
    port: Number(new URL(url).port),
    processId,
    answeringIds: () => (workers > 1 ? readDescendantIds(processId) : [processId]),
    log,
    ended,
    hasEnded,
    kill,
    stop,
    [Symbol.asyncDispose]: async () => void (await kill()),
  };
}

function killTree(processId: number | undefined): void {
  if (processId === undefined) return;
  for (const id of [...readDescendantIds(processId), processId]) {
    try {
      process.kill(id, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

function collectLog(child: ChildProcess): () => string {
  let log = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    log = (log + chunk).slice(-maxLogLength);
  });
  return () => log;
}

async function readUrl(child: ChildProcess, log: () => string, workers: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let printed = "";
  const look = () => {
    const url = / is listening on (\S+)\n/.exec(printed)?.[1];
    const started = log().split("A worker started.").length - 1;
    if (url !== undefined && (workers === 1 || started >= workers)) resolve(url);
  };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    look();
  });
  child.stderr?.on("data", look);
  child.once("error", reject);
  child.once("exit", (code) => reject(new Error(`The server ended with ${code} before it listened: ${log()}`)));
  const timer = setTimeout(() => reject(new Error(`The server did not listen: ${log()}`)), startTimeoutMs);
  await promise.finally(() => clearTimeout(timer));
  child.stderr?.off("data", look);
  return await promise;
}
