import { expect, test } from "vitest";
import { describeOnEveryEngine } from "./engines.ts";
import { startWorkerServer, type WorkerServer } from "./worker-server.ts";

const patience = { timeout: 45_000, interval: 50 };

describeOnEveryEngine("a worker", (engine) => {
  test("that is killed is replaced, and requests go on meanwhile", async () => {
    await using server = await startWorkerServer(engine, { workers: 2 });
    const [killed = 0, other = 0] = server.workerPids();
    expect((await server.create("before.example.com")).status).toBe(201);
    process.kill(killed, "SIGKILL");
    await server.untilLogged("A worker ended.");
    expect(await askTenTimes(server)).toEqual(new Set([200]));
    await server.untilLogged("A worker listens.", 3);
    expect(server.workerPids()).toHaveLength(2);
    expect(server.workerPids()).toContain(other);
    expect(server.workerPids()).not.toContain(killed);
    expect(await askTenTimes(server)).toEqual(new Set([200]));
    expect((await server.listAll()).map(({ domain }) => domain)).toEqual(["before.example.com"]);
    expect(endsOf(server)).toEqual([expect.objectContaining({ worker_pid: killed, signal: "SIGKILL" })]);
  });

  test("that hangs is killed and replaced, and leaves no client waiting for an answer that never comes", async () => {
    await using server = await startWorkerServer(engine, { workers: 2 });
    const [hanging = 0] = server.workerPids();
    process.kill(hanging, "SIGSTOP");
    const asked = Array.from({ length: 6 }, () => askOnce(server));
    // One was with the worker that hangs; the other answers the rest.
    expect((await Promise.all(asked)).toSorted()).toEqual([200, 200, 200, 200, 200, "ECONNRESET"]);
    await server.untilLogged("A worker does not respond, and is killed.");
    await server.untilLogged("A worker listens.", 3);
    expect(server.workerPids()).not.toContain(hanging);
    expect(endsOf(server)).toEqual([expect.objectContaining({ worker_pid: hanging, signal: "SIGKILL" })]);
    expect(await askTenTimes(server)).toEqual(new Set([200]));
  });

  test("that is asked to end finishes its requests, and is replaced", async () => {
    await using server = await startWorkerServer(engine, { workers: 2 });
    const [asked = 0] = server.workerPids();
    process.kill(asked, "SIGTERM");
    await server.untilLogged("A worker listens.", 3);
    expect(endsOf(server)).toEqual([expect.objectContaining({ worker_pid: asked, exit_code: 0 })]);
    expect(await askTenTimes(server)).toEqual(new Set([200]));
  });

  test("comes back at the same address, which was picked at the start, where all of them are killed", async () => {
    await using server = await startWorkerServer(engine, { workers: 2 });
    for (const pid of server.workerPids()) process.kill(pid, "SIGKILL");
    await expect.poll(() => endsOf(server).length, patience).toBe(2);
    await expect.poll(() => askOnce(server), patience).toBe(200);
  });

  test("that cannot start is tried again at longer and longer intervals, until it can", async () => {
    await using server = await startWorkerServer(engine, { workers: 2 });
    await server.database.execute("insert into schema_migrations (version, name, applied_at) values (999, 'newer', 0)");
    process.kill(server.workerPids()[0] ?? 0, "SIGKILL");
    await server.untilLogged("A worker ended.", 4);
    const delaysMs = endsOf(server).map((entry) => Number(entry["restart_delay_ms"]));
    expect(delaysMs.slice(0, 4)).toEqual([0, 100, 200, 400]);
    expect(await askTenTimes(server)).toEqual(new Set([200]));
    await server.database.execute("delete from schema_migrations where version = 999");
    await server.untilLogged("A worker listens.", 3);
  });
});

async function askTenTimes(server: WorkerServer): Promise<Set<unknown>> {
  return new Set(await Promise.all(Array.from({ length: 10 }, () => askOnce(server))));
}

/** Asks over a new connection, for the status or what became of the connection. */
async function askOnce(server: WorkerServer): Promise<unknown> {
  return server.send({ path: "/api/v1/account" }).then(
    ({ status }) => status,
    (error) => error.code ?? error.message,
  );
}

function endsOf(server: WorkerServer) {
  return server.program.logEntries().filter(({ msg }) => msg === "A worker ended.");
}
