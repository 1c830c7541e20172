import { AccountRows } from "@siteward/testing/engines/account-rows";
import { vi } from "vitest";
import { type ClientAnswer, type ClientRequest, send } from "./http-client.ts";
import { runInProcess } from "./run-in-process.ts";
import { type RunningProgram, startProgram } from "./run-program.ts";
import type { TestDatabase, TestEngine } from "./test-database.ts";

/** `siteward-server start` with many workers on a database of its own, which is deleted after the test. */
export interface WorkerServer extends AsyncDisposable {
  readonly program: RunningProgram;
  readonly database: TestDatabase;
  readonly url: string;
  /** A key of the only account. */
  readonly key: string;
  send(request: Omit<ClientRequest, "key">): Promise<ClientAnswer>;
  /**
   * Reads the account, and returns the status or what happened to the connection. Without an agent, the connection is
   * new.
   */
  ask(options?: Pick<ClientRequest, "agent">): Promise<unknown>;
  /** Creates a website with this domain. */
  create(domain: string, options?: Pick<ClientRequest, "agent">): Promise<ClientAnswer>;
  /** Reads the id and time of every website of the account, by id. */
  listAll(): Promise<{ id: number; domain: string; created_at: string }[]>;
  /** Runs another command on the same database. */
  operate(...words: string[]): Promise<Record<string, unknown>>;
  /** The workers that have started and not ended, as the log says. */
  workerPids(): number[];
  /** Waits until the log contains this many lines with this message. */
  untilLogged(message: string, count?: number): Promise<void>;
}

export interface WorkerServerOptions {
  readonly workers: number;
  readonly websiteLimit?: number;
  /** The value of NODE_OPTIONS for all its processes. */
  readonly nodeOptions?: string;
  /** Settings by their environment variable. The limits are off unless they are set here. */
  readonly settings?: Readonly<Record<string, string>>;
}

const unlimited = { SITEWARD_RATE_LIMIT: "0" };
const patience = { timeout: 100_000, interval: 50 };

export async function startWorkerServer(engine: TestEngine, options: WorkerServerOptions): Promise<WorkerServer> {
  const database = await engine({ isMigrated: true });
  const environment = { DATABASE_URL: database.databaseUrl, ...unlimited, ...options.settings };
  const operate: WorkerServer["operate"] = async (...words) =>
    JSON.parse((await runInProcess([...words, "--json"], environment)).stdout);
  const rows = new AccountRows({ engine: database.engine, query: database.execute });
  const key = rows.addApiKey(rows.addAccount({ websiteLimit: options.websiteLimit }));
  await rows.written();
  const words = ["start", "--port", "0", "--json", "--workers", String(options.workers)];
  const program = startProgram(words, { ...environment, NODE_OPTIONS: options.nodeOptions ?? "" });
  const { url } = JSON.parse(await program.printed("\n"));
  const untilLogged: WorkerServer["untilLogged"] = async (message, count = 1) =>
    void (await vi.waitUntil(() => pidsOf(program, message).length >= count, patience));
  // One process serves by itself.
  if (options.workers > 1) await untilLogged("A worker started.", options.workers);
  const sendHere: WorkerServer["send"] = (request) => send(url, { key, ...request });
  return {
    program,
    database,
    url,
    key,
    send: sendHere,
    ask: (options = {}) =>
      sendHere({ path: "/api/v1/account", ...options }).then(
        ({ status }) => status,
        (error) => error.code ?? error.message,
      ),
    create: (domain, { agent } = {}) =>
      sendHere({ method: "POST", path: "/api/v1/websites", form: `domain=${domain}`, ...(agent && { agent }) }),
    listAll: () => listAll(sendHere),
    operate,
    workerPids: () => {
      const ended = ["A worker ended unexpectedly.", "A replaced worker stopped."].flatMap((m) => pidsOf(program, m));
      return pidsOf(program, "A worker started.").filter((pid) => !ended.includes(pid));
    },
    untilLogged,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

function pidsOf(program: RunningProgram, message: string): number[] {
  return program.logEntries().flatMap((entry) => (entry["msg"] === message ? [Number(entry["worker_pid"])] : []));
}

async function listAll(sendHere: WorkerServer["send"]) {
  const websites = [];
  for (let page = 1; ; page += 1) {
    const path = `/api/v1/websites?sort_by=id&sort=asc&per_page=100&page=${page}`;
    const { data, links } = JSON.parse((await sendHere({ path })).text);
    websites.push(...data);
    if (links.next === null) return websites;
  }
}
