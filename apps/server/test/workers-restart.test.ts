import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { startWorkerServer, type WorkerServer } from "./support/worker-server.ts";

const replaced = "Replaced all workers.";

// What these processes do does not depend on the engine.
describe("SIGHUP", { concurrent: true }, () => {
  test("replaces every worker under load; no request fails or is refused, and nothing acknowledged is lost; SIGTERM ends all while the old ones drain", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 2 });
    const before = server.workerPids();
    const load = startLoad(server);
    await sleep(500);
    server.program.child.kill("SIGHUP");
    await server.untilLogged(replaced);
    await server.untilLogged("A replaced worker stopped.", 2);
    await sleep(500);
    const { statuses, failures, ids } = await load.stop();
    expect(failures).toEqual([]);
    expect(Object.keys(statuses)).toEqual(["200", "201"]);
    expect(before).toHaveLength(2);
    const after = server.workerPids();
    expect(after).toHaveLength(2);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
    expect(await server.listIds()).toEqual(ids.toSorted((a, b) => a - b));
    expect(ids).toHaveLength(Math.max(...ids));
    expect(await server.database.findFaults()).toEqual([]);

    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    await Promise.all(Array.from({ length: 4 }, () => server.ask(agent)));
    server.program.child.kill("SIGHUP");
    // The old one waits for its idle connections.
    await server.untilLogged("A worker started.", 5);
    await sleep(500);
    server.program.child.kill("SIGTERM");
    expect((await server.program.ended).exitCode).toBe(0);
    agent.destroy();
  });

  test("keeps the old workers if a new one fails to start, and one that ends is started again every two seconds until it can", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 2 });
    const before = server.workerPids();
    await server.database.execute("insert into schema_migrations values (999, 'newer', 0)");
    server.program.child.kill("SIGHUP");
    const failure = "A new worker failed to start; the restart was stopped, and the other workers continue.";
    await server.untilLogged(failure);
    expect(server.workerPids()).toEqual(before);
    expect((await server.create("example.com")).status).toBe(201);
    process.kill(before[0] ?? 0, "SIGKILL");
    await server.untilLogged("A worker ended unexpectedly.", 3);
    // The first of them failed in the restart.
    expect(server.ends().map((end) => end["restart_delay_ms"])).toEqual([2_000, 0, 2_000]);
    expect((await server.create("example.org")).status).toBe(201);
    await server.database.execute("delete from schema_migrations where version = 999");
    await server.untilLogged("A worker started.", 3);
    server.program.child.kill("SIGHUP");
    await server.untilLogged("A worker started.", 4);
    // One that comes meanwhile replaces them once more.
    server.program.child.kill("SIGHUP");
    await server.untilLogged(replaced, 2);
  });
});

/** Reads and writes until it is stopped, on connections that are kept and on new ones, and notes the outcomes. */
function startLoad(server: WorkerServer) {
  const outcome = { statuses: {} as Record<string, number>, failures: [] as unknown[], ids: [] as number[] };
  let isOn = true;
  const runClient = async (client: number) => {
    const agent = client % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
    for (let turn = 0; isOn; turn += 1) {
      const isRead = turn % 2 === 0;
      const asked = isRead
        ? server.send({ path: "/api/v1/account", agent })
        : server.create(`client-${client}-${turn}.example.com`, agent);
      try {
        const { status, text } = await asked;
        outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1;
        if (status === 201) outcome.ids.push(JSON.parse(text).data.id);
      } catch (error) {
        outcome.failures.push(error);
      }
      // Some connections are idle when their worker is replaced, and some are not.
      await sleep(10 + 5 * client);
    }
    agent?.destroy();
  };
  const clients = Promise.all(Array.from({ length: 8 }, (_, client) => runClient(client)));
  return {
    async stop() {
      isOn = false;
      await clients;
      return outcome;
    },
  };
}
