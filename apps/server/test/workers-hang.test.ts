import { Agent } from "node:http";
import { connect } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { describeOnEveryEngineAtOnce, engines } from "./support/engines.ts";
import { startWorkerServer, type WorkerServer } from "./support/worker-server.ts";

const patience = { timeout: 45_000, interval: 50 };
const killed = "Killing a worker that does not respond.";

/** Blocks the event loop of the process that gets this signal. */
const block = "process.on('SIGUSR2', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))";
const nodeOptions = `--import=data:text/javascript,${encodeURIComponent(block)}`;

describeOnEveryEngineAtOnce("a worker that hangs", (engine) => {
  test.for([
    ["is stopped", "SIGSTOP"],
    ["blocks its event loop", "SIGUSR2"],
  ] as const)(
    "because it %s is killed and replaced: its connections are closed, and new ones are answered",
    async ([_, signal]) => {
      await using server = await startWorkerServer(engine, { workers: 2, nodeOptions });
      const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
      const askEach = () => Promise.all(agents.map((agent) => server.ask({ agent })));
      expect(new Set(await askEach())).toEqual(new Set([200]));
      const [hanging = 0] = server.workerPids();
      process.kill(hanging, signal);
      // A worker receives the signal between other events, and can still accept a connection before it.
      await sleep(300);
      const askNew = () => Promise.all(Array.from({ length: 6 }, () => server.ask()));
      const [kept, fresh] = await Promise.all([askEach(), askNew()]);
      expect(new Set(kept)).toEqual(new Set([200, "ECONNRESET"]));
      expect(new Set(fresh)).toEqual(new Set([200]));
      await server.untilLogged(killed);
      await server.untilLogged("A worker started.", 3);
      expect(server.workerPids()).not.toContain(hanging);
      expect(new Set(await askNew())).toEqual(new Set([200]));
      for (const agent of agents) agent.destroy();
    },
  );

  test("loses none of a burst of connections: others answer those that are pending at it or wait", async () => {
    await using server = await startWorkerServer(engine, { workers: 2 });
    const [hanging = 0, other = 0] = server.workerPids();
    for (const pid of [hanging, other]) process.kill(pid, "SIGSTOP");
    const asked = Array.from({ length: 2000 }, () => askHealth(server.url));
    await Promise.all(asked.map(({ connected }) => connected));
    process.kill(other, "SIGCONT");
    const heads = await Promise.all(asked.map(({ answered }) => answered));
    expect(new Set(heads)).toEqual(new Set(["HTTP/1.1 200"]));
    await server.untilLogged(killed);
  });
});

// On PostgreSQL, a write is one statement, which ends even if the worker that sent it hangs.
test.concurrent("a worker that hangs in the middle of a write does not stop the others from writing (sqlite)", async () => {
  await using server = await startWorkerServer(engines.sqlite, { workers: 2 });
  const hanging = await stopInTheMiddleOfAWrite(server);
  // Until the lock is free, the other worker answers that the database is busy.
  const create = () => server.create("after.example.com").then(({ status }) => status);
  await vi.waitFor(async () => expect(await create()).toBe(201), patience);
  await server.untilLogged(killed);
  await server.untilLogged("A worker started.", 3);
  expect(server.workerPids()).not.toContain(hanging);
  expect(await server.database.findFaults()).toEqual([]);
});

/**
 * Sends a request on a new connection. Returns the first line of the response up to the status, or an empty string if
 * there was none.
 */
function askHealth(url: string) {
  const { hostname, port } = new URL(url);
  const connected = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<string>();
  let text = "";
  const socket = connect({ host: hostname, port: Number(port) }, connected.resolve);
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", connected.reject);
  socket.on("close", () => answered.resolve(text.slice(0, "HTTP/1.1 200".length)));
  return { connected: connected.promise, answered: answered.promise };
}

/**
 * Lets one worker write without end, and stops it again and again until a check from outside finds that the write lock is
 * held. No other worker gets a write meanwhile, so this one holds the lock.
 */
async function stopInTheMiddleOfAWrite(server: WorkerServer): Promise<number> {
  const { pid, agents } = await connectToOneWorker(server);
  let isOn = true;
  const write = async (agent: Agent, writer: number) => {
    for (let turn = 0; isOn; turn += 1) {
      await server.create(`writer-${writer}-${turn}.example.com`, { agent }).catch(() => undefined);
    }
  };
  const writers = agents.map(write);
  for (let round = 0; round < 500; round += 1) {
    await sleep(20 + (round % 10));
    process.kill(pid, "SIGSTOP");
    if (await isWriteLockHeld(server)) {
      isOn = false;
      void Promise.all(writers).then(() => agents.map((agent) => agent.destroy()));
      return pid;
    }
    process.kill(pid, "SIGCONT");
  }
  throw new Error("No worker was stopped in the middle of a write.");
}

/** Opens connections that are kept, and returns those that lead to the same worker. */
async function connectToOneWorker(server: WorkerServer): Promise<{ pid: number; agents: Agent[] }> {
  const creators = () => server.program.logEntries().flatMap(({ method, pid }) => (method === "POST" ? [pid] : []));
  const agentsOf = new Map<number, Agent[]>(server.workerPids().map((pid) => [pid, []]));
  for (let index = 0; index < 8; index += 1) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await server.create(`connect-${index}.example.com`, { agent })).status).toBe(201);
    await vi.waitUntil(() => creators().length === index + 1, patience);
    agentsOf.get(Number(creators().at(-1)))?.push(agent);
  }
  const [pid, agents] = [...agentsOf].reduce((most, each) => (each[1].length > most[1].length ? each : most));
  for (const [other, unused] of agentsOf) if (other !== pid) for (const agent of unused) agent.destroy();
  return { pid, agents };
}

/** Whether another process cannot write at any of three times. By then, what the database still does by itself has ended. */
async function isWriteLockHeld({ database }: WorkerServer): Promise<boolean> {
  for (let look = 0; look < 3; look += 1) {
    await sleep(30);
    const isFree = await tryToLock(database).then(
      () => true,
      () => false,
    );
    if (isFree) return false;
  }
  return true;
}

/** Takes the lock that every write needs, and releases it. Throws an error if the lock is held. */
async function tryToLock({ databaseUrl }: WorkerServer["database"]): Promise<void> {
  using database = new DatabaseSync(databaseUrl.slice("file:".length), { timeout: 0 });
  database.exec("begin immediate; rollback");
}
