import { once } from "node:events";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { describe, expect, it, vi } from "vitest";
import { whoseTurn } from "../whose-turn.ts";
import { CircuitBreakers } from "./circuit-breakers.ts";
import { ConnectionTurns } from "./connection-turns.ts";
import { SharedConnection, unanswered } from "./shared-connection.ts";
import { maxCallers, SharedConnections } from "./shared-connections.ts";

describe("Shared connections", () => {
  it("use one connection for a few callers, and release it when all have finished", async () => {
    const source = createSource();
    const shared = share(source, 2);
    const callers = startCallers(shared, 8);
    expect(await clientsOf(callers)).toEqual(new Set([1]));
    for (const caller of callers.slice(1)) await caller.finish();
    expect(source.released).toEqual([]);
    await callers[0]?.finish();
    await setImmediate();
    expect(source.released).toEqual([{ client: 1, isUsable: true }]);
  });

  it("open the next connection only for more callers, and spread all others over the connections", async () => {
    const shared = share(createSource(), 2);
    const callers = startCallers(shared, 128);
    const clients = await Promise.all(callers.map(({ client }) => client));
    expect(clients.slice(0, 9)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2]);
    expect(clients.filter((client) => client === 1)).toHaveLength(64);
  });

  it("fail for a caller that finds no place in time, and let the next one in", async () => {
    const shared = share(createSource(), 1);
    const callers = startCallers(shared, 64);
    await expect(shared.use(async () => "late")).rejects.toMatchObject({ code: "unavailable" });
    const waiting = shared.use(async () => "in time");
    await callers[0]?.finish();
    expect(await waiting).toBe("in time");
  });

  it("give nobody a connection that was retired, and release it as unusable when its users have finished", async () => {
    const source = createSource();
    const shared = share(source, 1);
    const [user] = startCallers(shared, 1);
    await shared.use(async (_client, retire) => retire());
    expect(await shared.use(async (client) => client)).toBe(2);
    await user?.finish();
    await setImmediate();
    expect(source.released).toEqual([
      { client: 2, isUsable: true },
      { client: 1, isUsable: false },
    ]);
  });

  it("send queries again that wait behind one without an answer, which needs a connection of its own", async () => {
    const source = createSource();
    const shared = share(source, 1);
    const sent: string[] = [];
    const read = (name: string) =>
      shared.use(async (client) => {
        sent.push(`${name} on ${client}`);
        if (client === 1) await source.closed;
        return name;
      });
    const first = whoseTurn.run(1, () => read("first"));
    const behind = [2, 3].map((accountId) => whoseTurn.run(accountId, () => read(`of ${accountId}`)));
    expect(await first).toBe(unanswered);
    expect(await Promise.all(behind)).toEqual(["of 2", "of 3"]);
    expect(sent).toEqual(["first on 1", "of 2 on 1", "of 3 on 1", "of 2 on 2", "of 3 on 2"]);
    await vi.waitFor(() => expect(source.released).toEqual([{ client: 2, isUsable: true }]));
  });

  it("give a query at least two intervals, also if it is sent at the end of one", async () => {
    const own = turns(1);
    const connection = new SharedConnection(Promise.resolve(1), own);
    const answer = Promise.withResolvers<string>();
    const reading = connection.run(await own.begin(1), () => answer.promise);
    await setImmediate();
    expect([connection.hangs(), connection.hangs(), connection.hangs()]).toEqual([false, false, true]);
    answer.resolve("late");
    expect(await reading).toBe("late");
    expect([connection.hangs(), connection.hangs()]).toEqual([false, false]);
  });

  it("keep a connection whose answer came while the event loop was blocked", async () => {
    const source = createSource();
    const shared = share(source, 1);
    const server = new Worker(answerLater, { eval: true });
    await once(server, "online");
    const reading = shared.use(async (client) => {
      server.postMessage("query");
      await once(server, "message");
      return client;
    });
    // The query has been silent for one entire interval. The second one ends while nothing can be read, and timers come first then.
    await sleep(260);
    await setImmediate();
    const blockedAtMs = performance.now();
    while (performance.now() - blockedAtMs < 300);
    expect(await reading).toBe(1);
    await setImmediate();
    expect(source.released).toEqual([{ client: 1, isUsable: true }]);
    await server.terminate();
  });

  it("fail for the callers of a connection that cannot be opened, and open another for the next caller", async () => {
    const source = createSource();
    const shared = share(source, 1);
    source.failNext();
    await expect(shared.use(async (client) => client)).rejects.toThrow("No server.");
    expect(await shared.use(async (client) => client)).toBe(1);
  });
});

/** A server that needs 285 ms for an answer. */
const answerLater = `const { parentPort } = require("node:worker_threads");
  parentPort.once("message", () => setTimeout(() => parentPort.postMessage("answer"), 285));`;

/** Shares connections whose accounts are nodes of their own. */
function share(source: ReturnType<typeof createSource>, max: number): SharedConnections<number> {
  return new SharedConnections(source, turns(max), max);
}

function turns(max: number): ConnectionTurns {
  const limits = { max: max * maxCallers, maxHanging: max, maxWaitMs: 10 };
  return new ConnectionTurns(limits, new CircuitBreakers((id) => id));
}

interface Caller {
  readonly client: Promise<number>;
  finish(): Promise<void>;
}

function startCallers(shared: SharedConnections<number>, count: number): Caller[] {
  return Array.from({ length: count }, () => {
    const started = Promise.withResolvers<number>();
    const end = Promise.withResolvers<void>();
    const work = shared.use(async (client) => {
      started.resolve(client);
      await end.promise;
    });
    return {
      client: started.promise,
      async finish() {
        end.resolve();
        await work;
      },
    };
  });
}

async function clientsOf(callers: readonly Caller[]): Promise<Set<number>> {
  return new Set(await Promise.all(callers.map(({ client }) => client)));
}

/** Connections that are numbers. */
function createSource() {
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => undefined);
  const released: { client: number; isUsable: boolean }[] = [];
  let last = 0;
  let fails = false;
  return {
    released,
    /** Fails when a connection that hangs is closed. */
    closed: closed.promise,
    abandon(): void {
      closed.reject(new Error("The connection is closed."));
    },
    failNext() {
      fails = true;
    },
    async acquire(): Promise<number> {
      if (fails) {
        fails = false;
        throw new Error("No server.");
      }
      last += 1;
      return last;
    },
    release(client: number, isUsable: boolean): void {
      released.push({ client, isUsable });
    },
  };
}
