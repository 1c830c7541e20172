import { describe, expect, test } from "vitest";
import { describeOnEveryEngineAtOnce, engines } from "./support/engines.ts";
import { startWorkerServer, type WorkerServer } from "./support/worker-server.ts";

describeOnEveryEngineAtOnce("a worker", (engine) => {
  test("that is killed is replaced, and requests are answered meanwhile", async () => {
    await using server = await startWorkerServer(engine, { workers: 2 });
    const [killed = 0, other = 0] = server.workerPids();
    expect((await server.create("before.example.com")).status).toBe(201);
    process.kill(killed, "SIGKILL");
    await server.untilLogged("A worker ended unexpectedly.");
    expect(await askTenTimes(server)).toEqual(new Set([200]));
    await server.untilLogged("A worker started.", 3);
    expect(server.workerPids()).toHaveLength(2);
    expect(server.workerPids()).toContain(other);
    expect(server.workerPids()).not.toContain(killed);
    expect(await askTenTimes(server)).toEqual(new Set([200]));
    expect((await server.listAll()).map(({ domain }) => domain)).toEqual(["before.example.com"]);
    expect(endsOf(server)).toEqual([expect.objectContaining({ worker_pid: killed, signal: "SIGKILL" })]);
  });
});

// What these processes do does not depend on the engine.
describe("a worker", { concurrent: true }, () => {
  test("that gets SIGTERM finishes its requests, and is replaced", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 2 });
    const [asked = 0] = server.workerPids();
    process.kill(asked, "SIGTERM");
    await server.untilLogged("A worker started.", 3);
    expect(endsOf(server)).toEqual([expect.objectContaining({ worker_pid: asked, exit_code: 0 })]);
    expect(await askTenTimes(server)).toEqual(new Set([200]));
  });

  test("listens at the same address, chosen at the start, after all of them were killed", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 2 });
    for (const pid of server.workerPids()) process.kill(pid, "SIGKILL");
    // Connections wait for the next worker.
    expect(await askTenTimes(server)).toEqual(new Set([200]));
    expect(endsOf(server)).toHaveLength(2);
  });

  test("that cannot start is started again at longer and longer intervals until it can, and connections wait for it", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 2 });
    await server.database.execute("insert into schema_migrations (version, name, applied_at) values (999, 'newer', 0)");
    const [killed = 0, other = 0] = server.workerPids();
    process.kill(killed, "SIGKILL");
    await server.untilLogged("A worker ended unexpectedly.", 4);
    const delaysMs = endsOf(server).map((entry) => Number(entry["restart_delay_ms"]));
    expect(delaysMs.slice(0, 4)).toEqual([0, 100, 200, 400]);
    expect(await askTenTimes(server)).toEqual(new Set([200]));
    process.kill(other, "SIGKILL");
    const asked = askTenTimes(server);
    await server.untilLogged("A worker ended unexpectedly.", 6);
    await server.database.execute("delete from schema_migrations where version = 999");
    expect(await asked).toEqual(new Set([200]));
    await server.untilLogged("A worker started.", 4);
  });
});

async function askTenTimes(server: WorkerServer): Promise<Set<unknown>> {
  return new Set(await Promise.all(Array.from({ length: 10 }, () => server.ask())));
}

function endsOf(server: WorkerServer) {
  return server.program.logEntries().filter(({ msg }) => msg === "A worker ended unexpectedly.");
}
