import { type Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { AccountRows } from "@siteward/testing/engines/account-rows";
import { vi } from "vitest";
import type { TestEngine } from "./engines.ts";
import { startProgram } from "./run-program.ts";

export interface WorkerServerOptions {
  readonly workers: number;
  /** Settings by their environment variable. The limit of requests is off unless it is set here. */
  readonly settings?: Readonly<Record<string, string>>;
}

interface ClientRequest {
  readonly method?: string;
  readonly path: string;
  /** That of the only account if unset. */
  readonly key?: string;
  readonly form?: string;
  /** The agent whose connections are used. Without one, the request gets a new connection of its own. */
  readonly agent?: Agent | undefined;
}

export type WorkerServer = Awaited<ReturnType<typeof startWorkerServer>>;

const patience = { timeout: 100_000, interval: 50 };

/** Starts `siteward-server start` with many workers on a database of its own, which is deleted after the test. */
export async function startWorkerServer(engine: TestEngine, options: WorkerServerOptions) {
  const database = await engine({ isMigrated: true });
  const environment = { ...database.environment, SITEWARD_RATE_LIMIT: "0", ...options.settings };
  const rows = new AccountRows({ engine: database.engine, query: database.execute });
  const key = rows.addApiKey(rows.addAccount());
  await rows.written();
  const words = ["start", "--port", "0", "--json", "--workers", String(options.workers)];
  const program = startProgram(words, environment);
  const { url } = JSON.parse(await program.printed("\n"));
  const linesOf = (message: string) => program.logEntries().filter(({ msg }) => msg === message);
  /** The process IDs in the lines of the log with this message. */
  const pidsOf = (message: string): number[] => linesOf(message).map((line) => Number(line["worker_pid"]));
  /** Waits until the log contains this many lines with this message. */
  const untilLogged = async (message: string, count = 1): Promise<void> =>
    void (await vi.waitUntil(() => pidsOf(message).length >= count, patience));
  // One process serves by itself.
  if (options.workers > 1) await untilLogged("A worker started.", options.workers);
  const sendHere = (request: ClientRequest) => send(url, { key, ...request });
  return {
    program,
    database,
    url: String(url),
    key,
    send: sendHere,
    /** Reads the account, and returns the status or what happened to the connection. */
    ask: (agent?: Agent): Promise<unknown> =>
      sendHere({ path: "/api/v1/account", agent }).then(
        ({ status }) => status,
        (error) => error.code ?? error.message,
      ),
    create: (domain: string, agent?: Agent) =>
      sendHere({ method: "POST", path: "/api/v1/websites", form: `domain=${domain}`, agent }),
    /** Returns the IDs of all websites of the account, in order. */
    async listIds(): Promise<number[]> {
      const rows = await database.execute("select id from websites order by id");
      return rows.map(({ id }) => Number(id));
    },
    /** The workers that have started and not ended, as the log says. */
    workerPids(): number[] {
      const ended = ["A worker ended unexpectedly.", "A replaced worker stopped."].flatMap(pidsOf);
      return pidsOf("A worker started.").filter((pid) => !ended.includes(pid));
    },
    /** The lines of the log about workers that ended. */
    ends: () => linesOf("A worker ended unexpectedly."),
    untilLogged,
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Sends one request once. Unlike `fetch`, it never retries on another connection. */
function send(url: string, { method = "GET", path, key, form, agent }: ClientRequest) {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly status: number; readonly text: string }>();
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/x-www-form-urlencoded" };
  const sent = request(`${url}${path}`, { method, headers, agent: agent ?? false, timeout: 30_000 }, (response) => {
    text(response).then((body) => resolve({ status: Number(response.statusCode), text: body }), reject);
  });
  sent.once("error", reject);
  sent.once("timeout", () => sent.destroy(new Error(`${method} ${path} was not answered.`)));
  sent.end(form);
  return promise;
}
