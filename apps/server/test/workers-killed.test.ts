import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./support/engines.ts";
import { startWorkerServer, type WorkerServer } from "./support/worker-server.ts";

const patience = { timeout: 45_000, interval: 50 };

describeOnEveryEngine("killing workers again and again", (engine) => {
  test("refuses no connection, and every worker is replaced within a second", async () => {
    await using server = await startWorkerServer(engine, { workers: 2 });
    const load = startLoad(server);
    // Every worker is killed three times, as soon as it has started.
    while (endsOf(server).length < 6) {
      for (const pid of server.workerPids()) kill(pid);
      await sleep(50);
    }
    const during = await load.stop();
    const after = startLoad(server);
    await expect.poll(() => server.workerPids().length, patience).toBe(2);
    await sleep(500);
    // A client of a worker that is killed loses its answer. No client is refused.
    expect([...during].filter((outcome) => outcome !== 200 && outcome !== "ECONNRESET")).toEqual([]);
    expect(await after.stop()).toEqual(new Set([200]));
    const delaysMs = endsOf(server).map((entry) => Number(entry["restart_delay_ms"]));
    expect(Math.max(...delaysMs)).toBeLessThanOrEqual(1000);
  });
});

function endsOf(server: WorkerServer) {
  return server.program.logEntries().filter(({ msg }) => msg === "A worker ended unexpectedly.");
}

/** Kills a worker, unless it has just ended. */
function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {}
}

/** Sends requests on new connections until it is stopped, and notes each kind of outcome. */
function startLoad(server: WorkerServer) {
  const outcomes = new Set<unknown>();
  let isOn = true;
  const run = async () => {
    while (isOn) outcomes.add(await server.ask());
  };
  const clients = Promise.all(Array.from({ length: 8 }, run));
  return {
    async stop() {
      isOn = false;
      await clients;
      return outcomes;
    },
  };
}
