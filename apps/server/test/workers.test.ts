import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { beginCreate } from "./support/begin-create.ts";
import { engines } from "./support/engines.ts";
import { runInProcess } from "./support/run-in-process.ts";
import { runProgram, startProgram } from "./support/run-program.ts";
import { startWorkerServer, type WorkerServer } from "./support/worker-server.ts";

// What these processes do does not depend on the engine.
describe("many workers", { concurrent: true }, () => {
  test("are each replaced when they end, at the same address, and requests are answered meanwhile", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 2 });
    const [killed = 0, asked = 0] = server.workerPids();
    expect((await server.create("before.example.com")).status).toBe(201);
    process.kill(killed, "SIGKILL");
    await server.untilLogged("A worker ended unexpectedly.");
    expect(await askTenTimes(server)).toEqual(new Set([200]));
    await server.untilLogged("A worker started.", 3);
    expect(server.workerPids()).toHaveLength(2);
    expect(server.workerPids()).toContain(asked);
    expect(server.workerPids()).not.toContain(killed);
    expect((await server.listAll()).map(({ domain }) => domain)).toEqual(["before.example.com"]);
    process.kill(asked, "SIGTERM");
    await server.untilLogged("A worker started.", 4);
    expect(endsOf(server)).toEqual([
      expect.objectContaining({ worker_pid: killed, signal: "SIGKILL" }),
      expect.objectContaining({ worker_pid: asked, exit_code: 0 }),
    ]);
    for (const pid of server.workerPids()) process.kill(pid, "SIGKILL");
    // While there is none, connections are refused.
    await server.untilLogged("A worker started.", 6);
    expect(await askTenTimes(server)).toEqual(new Set([200]));
    expect(endsOf(server)).toHaveLength(4);
  });

  test("all refuse a revoked key within 5 seconds", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 3 });
    const ask = async () => {
      const asked = Array.from({ length: 12 }, () => server.send({ path: "/api/v1/account" }));
      return new Set((await Promise.all(asked)).map(({ status }) => status));
    };
    const byWorkers = () => {
      const refused = server.program.logEntries().filter(({ status }) => status === 401);
      return new Set(refused.map(({ pid }) => pid)).size;
    };
    expect(await ask()).toEqual(new Set([200]));
    await server.operate("keys", "revoke", server.key.slice(0, 12));
    // The key stays in use, so that no worker forgets it for lack of requests.
    await vi.waitFor(async () => expect([await ask(), byWorkers()]).toEqual([new Set([401]), 3]), 5_000);
  });

  test("--bootstrap creates and prints one key, and SIGTERM ends every process with 0 once the requests in progress are answered", async () => {
    await using database = await engines.sqlite();
    const environment = { DATABASE_URL: database.databaseUrl, SITEWARD_WORKERS: "3" };
    await using program = startProgram(["start", "--port", "0", "--bootstrap", "--json"], environment);
    const { url, key } = JSON.parse(await program.printed("\n"));
    const answer = await beginCreate(url, key);
    program.signal("SIGTERM");
    await sleep(300);
    answer.finish();
    expect((await answer.received).website.id).toBe(1);
    const { exitCode, stdout } = await program.ended;
    expect([exitCode, stdout]).toEqual([0, `${JSON.stringify({ url, key })}\n`]);
    const keys = await runInProcess(["keys", "list", "--json"], environment);
    expect(JSON.parse(keys.stdout)).toHaveLength(1);
  });

  test("end gracefully if the first process is killed", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 2 });
    const answer = await beginCreate(server.url, server.key);
    server.program.signal("SIGKILL");
    await sleep(300);
    answer.finish();
    expect((await answer.received).website.id).toBe(1);
    await server.program.ended;
    expect(await server.database.findFaults()).toEqual([]);
  });

  test("end with the first process even if it is killed while they start", async () => {
    await using database = await engines.sqlite({ isMigrated: true });
    // Two, because a third one would be in no other state, and each start takes time of both cores.
    const environment = { DATABASE_URL: database.databaseUrl, SITEWARD_WORKERS: "2" };
    for (const waitMs of [0, 100, 300]) {
      await using program = startProgram(["start", "--port", "0", "--json"], environment);
      await program.printed("\n");
      await sleep(waitMs);
      program.signal("SIGKILL");
      // Its standard error stays open as long as one of them runs.
      expect(await Promise.race([program.ended, sleep(20_000, "they still run")])).not.toBe("they still run");
    }
  });

  test("that cannot start are started again at longer and longer intervals until they can", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 2 });
    await server.database.execute("insert into schema_migrations (version, name, applied_at) values (999, 'newer', 0)");
    const [killed = 0, other = 0] = server.workerPids();
    process.kill(killed, "SIGKILL");
    await server.untilLogged("A worker ended unexpectedly.", 4);
    const delaysMs = endsOf(server).map((entry) => Number(entry["restart_delay_ms"]));
    expect(delaysMs.slice(0, 4)).toEqual([0, 100, 200, 400]);
    expect(await askTenTimes(server)).toEqual(new Set([200]));
    process.kill(other, "SIGKILL");
    await server.untilLogged("A worker ended unexpectedly.", 6);
    await server.database.execute("delete from schema_migrations where version = 999");
    await server.untilLogged("A worker started.", 4);
    expect(await askTenTimes(server)).toEqual(new Set([200]));
  });

  test("do not start if the port is in use: the line, exit code and database are as with one process", async () => {
    await using database = await engines.sqlite();
    const environment = { DATABASE_URL: database.databaseUrl };
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = String(typeof address === "object" ? address?.port : undefined);
    const words = ["start", "--port", port, "--bootstrap"];
    const result = await runProgram([...words, "--workers", "3"], environment);
    expect(result).toEqual(await runProgram(words, environment));
    other.close();
    expect(result).toMatchObject({ exitCode: 1, stdout: "" });
    expect(result.stderr.trim().split("\n")).toEqual([expect.stringContaining("SITEWARD_PORT (--port)")]);
    expect((await runInProcess(["accounts", "list", "--json"], environment)).stdout).toBe("[]\n");
  });

  test.for([
    [`file:${import.meta.filename}/x.db`, 1],
    ["mysql://root:secret@db/x", 2],
  ] as const)("do not start with the database %s, which is reported once", async ([databaseUrl, exitCode]) => {
    const environment = { SITEWARD_WORKERS: "3", DATABASE_URL: databaseUrl };
    const result = await runProgram(["start", "--port", "0"], environment);
    expect(result).toMatchObject({ exitCode, stdout: "" });
    expect(result.stderr.trim().split("\n")).toHaveLength(1);
    expect(result.stderr).not.toContain("secret");
  });
});

async function askTenTimes(server: WorkerServer): Promise<Set<unknown>> {
  return new Set(await Promise.all(Array.from({ length: 10 }, () => server.ask())));
}

function endsOf(server: WorkerServer) {
  return server.program.logEntries().filter(({ msg }) => msg === "A worker ended unexpectedly.");
}
