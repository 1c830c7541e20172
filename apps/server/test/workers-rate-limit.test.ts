import { Agent } from "node:http";
import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { startWorkerServer, type WorkerServer } from "./support/worker-server.ts";

const limit = 240;
const path = "/api/v1/account";

describe("the limit of a key's requests with 4 workers", () => {
  test("one client gets the whole limit, although its connection belongs to one worker, and a worker that dies keeps little", async () => {
    await using server = await start();
    using agent = createAgent(1);
    const startedAtMs = performance.now();
    for (let count = 0; count < 80; count += 1) expect((await server.send({ path, agent })).status).toBe(200);
    const [first = 0] = server.workerPids();
    for (const pid of server.workerPids()) if (pid !== first) process.kill(pid, "SIGKILL");
    await server.untilLogged("A worker started.", 7);
    using others = createAgent();
    const answers = await Promise.all(Array.from({ length: 400 }, () => server.send({ path, agent: others })));
    const refill = Math.ceil(((performance.now() - startedAtMs) * limit) / 60_000);
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(passed).toBeLessThanOrEqual(limit - 80 + refill);
    // The dead may have held as much as a worker gets in advance.
    expect(passed).toBeGreaterThanOrEqual(limit - 80 - limit / 8);
  });
});

function start(): Promise<WorkerServer> {
  return startWorkerServer(engines.sqlite, { workers: 4, settings: { SITEWARD_RATE_LIMIT: String(limit) } });
}

function createAgent(connections = 200): Agent & Disposable {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() });
}
