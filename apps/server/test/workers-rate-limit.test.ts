import { Agent } from "node:http";
import { describe, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { startWorkerServer, type WorkerServer } from "./support/worker-server.ts";

const limit = 240;
const path = "/api/v1/account";

describe("the limit of a key's requests with 4 workers", () => {
  test("of 800 requests at once, 240 and what time refills are answered, and what remains counts down to 0", async () => {
    await using server = await start();
    using agent = createAgent();
    const startedAtMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 800 }, () => server.send({ path, agent })));
    const refill = Math.ceil(((performance.now() - startedAtMs) * limit) / 60_000);
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed.length).toBeGreaterThanOrEqual(limit);
    expect(passed.length).toBeLessThanOrEqual(limit + refill);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(answers.length - passed.length);
    // Each of the 240 requests was counted with another number.
    const remaining = new Set(passed.map(({ headers }) => headers["ratelimit"]));
    for (let count = 0; count < limit; count += 1) expect(remaining).toContain(`"default";r=${count};t=1`);
    for (const { headers } of answers) expect(headers["ratelimit-policy"]).toBe('"default";q=240;w=60');
    for (const { headers } of refused)
      expect(headers).toMatchObject({ ratelimit: '"default";r=0;t=1', "retry-after": "1" });
  });

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
