import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./engines.ts";
import { startWorkerServer, type WorkerServer } from "./worker-server.ts";

const patience = { timeout: 45_000, interval: 50 };
const killed = "A worker does not respond, and is killed.";

describeOnEveryEngine("a worker that hangs", (engine) => {
  test("is killed and replaced: its connections are closed, and those on the way to it are answered by others", async () => {
    await using server = await startWorkerServer(engine, { workers: 2 });
    const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const askEach = () => Promise.all(agents.map((agent) => server.ask({ agent })));
    expect(new Set(await askEach())).toEqual(new Set([200]));
    const [hanging = 0] = server.workerPids();
    // To the first process this is a worker whose loop is blocked.
    process.kill(hanging, "SIGSTOP");
    const askNew = () => Promise.all(Array.from({ length: 6 }, () => server.ask()));
    const [kept, fresh] = await Promise.all([askEach(), askNew()]);
    expect(new Set(kept)).toEqual(new Set([200, "ECONNRESET"]));
    expect(new Set(fresh)).toEqual(new Set([200]));
    await server.untilLogged(killed);
    await server.untilLogged("A worker listens.", 3);
    expect(server.workerPids()).not.toContain(hanging);
    expect(new Set(await askNew())).toEqual(new Set([200]));
    for (const agent of agents) agent.destroy();
  });

  test("in the middle of a write does not keep the others from writing", async () => {
    await using server = await startWorkerServer(engine, { workers: 2 });
    const writers = startWriters(server);
    const hanging = await stopInTheMiddleOfAWrite(server, writers);
    const before = writers.created();
    await expect.poll(() => writers.created(), patience).toBeGreaterThan(before);
    await server.untilLogged(killed);
    await server.untilLogged("A worker listens.", 3);
    expect(server.workerPids()).not.toContain(hanging);
    await writers.stop();
    expect(await server.database.findFaults()).toEqual([]);
  });
});

/** Stops a worker again and again until that keeps everybody from writing: it then holds the lock. */
async function stopInTheMiddleOfAWrite(server: WorkerServer, writers: Writers): Promise<number> {
  for (let round = 0; round < 200; round += 1) {
    const pid = server.workerPids()[0] ?? 0;
    process.kill(pid, "SIGSTOP");
    const before = writers.created();
    for (let waitedMs = 0; waitedMs < 1500 && writers.created() < before + 3; waitedMs += 20) await sleep(20);
    if (writers.created() < before + 3) return pid;
    process.kill(pid, "SIGCONT");
    await sleep(20);
  }
  throw new Error("No worker was stopped in the middle of a write.");
}

interface Writers {
  /** How many websites have been created. */
  created(): number;
  stop(): Promise<void>;
}

function startWriters(server: WorkerServer): Writers {
  let created = 0;
  let isOn = true;
  const run = async (writer: number) => {
    for (let turn = 0; isOn; turn += 1) {
      const status = await server.create(`writer-${writer}-${turn}.example.com`).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 201) created += 1;
    }
  };
  const writers = Array.from({ length: 12 }, (_, writer) => run(writer));
  return {
    created: () => created,
    async stop() {
      isOn = false;
      await Promise.all(writers);
    },
  };
}
