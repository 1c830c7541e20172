import { once } from "node:events";
import { Agent } from "node:http";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
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
    // One connection is on its way to it. Its client must not wait for an answer that never comes.
    process.kill(killed, "SIGSTOP");
    const answers: unknown[] = [];
    for (let count = 0; count < 10; count += 1) void server.ask().then((answer) => answers.push(answer));
    await expect.poll(() => answers.length).toBe(9);
    process.kill(killed, "SIGKILL");
    await server.untilLogged("A worker ended unexpectedly.");
    await expect.poll(() => answers.length).toBe(10);
    expect(answers.toSorted()).toEqual([...Array<number>(9).fill(200), "ECONNRESET"]);
    expect(new Set(await askTenTimes(server))).toEqual(new Set([200]));
    await server.untilLogged("A worker started.", 3);
    expect(server.workerPids()).toHaveLength(2);
    expect(server.workerPids()).toContain(asked);
    expect(server.workerPids()).not.toContain(killed);
    expect(await server.listIds()).toEqual([1]);
    process.kill(asked, "SIGTERM");
    await server.untilLogged("A worker started.", 4);
    expect(endsOf(server)).toEqual([
      expect.objectContaining({ worker_pid: killed, signal: "SIGKILL" }),
      expect.objectContaining({ worker_pid: asked, exit_code: 0 }),
    ]);
    for (const pid of server.workerPids()) process.kill(pid, "SIGKILL");
    // While there is none, connections are refused.
    await server.untilLogged("A worker started.", 6);
    expect(new Set(await askTenTimes(server))).toEqual(new Set([200]));
    expect(endsOf(server)).toHaveLength(4);
  });

  test("--bootstrap creates and prints one key, and SIGTERM ends every process with 0 once the requests in progress are answered", async () => {
    await using database = await engines.sqlite();
    const environment = { DATABASE_URL: database.databaseUrl, SITEWARD_WORKERS: "3" };
    await using program = startProgram(["start", "--port", "0", "--bootstrap", "--json"], environment);
    const { url, key } = JSON.parse(await program.printed("\n"));
    const answer = await beginCreate(url, key);
    program.child.kill("SIGTERM");
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
    server.program.child.kill("SIGKILL");
    await sleep(300);
    answer.finish();
    expect((await answer.received).website.id).toBe(1);
    await server.program.ended;
    expect(await server.database.findFaults()).toEqual([]);
  });

  test("that cannot start are started again every two seconds until they can", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 2 });
    await server.database.execute("insert into schema_migrations (version, name, applied_at) values (999, 'newer', 0)");
    const [killed = 0, other = 0] = server.workerPids();
    process.kill(killed, "SIGKILL");
    await server.untilLogged("A worker ended unexpectedly.", 4);
    const delaysMs = endsOf(server).map((entry) => Number(entry["restart_delay_ms"]));
    expect(delaysMs.slice(0, 4)).toEqual([0, 2_000, 2_000, 2_000]);
    expect(new Set(await askTenTimes(server))).toEqual(new Set([200]));
    process.kill(other, "SIGKILL");
    await server.untilLogged("A worker ended unexpectedly.", 6);
    await server.database.execute("delete from schema_migrations where version = 999");
    await server.untilLogged("A worker started.", 4);
    expect(new Set(await askTenTimes(server))).toEqual(new Set([200]));
  });

  test("do not start if a port is in use: the line, exit code and database are as with one process", async () => {
    await using database = await engines.sqlite();
    const environment = { DATABASE_URL: database.databaseUrl };
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = String(typeof address === "object" ? address?.port : undefined);
    for (const [used, named] of [
      [["--port", port], "SITEWARD_HOST (--host) or SITEWARD_PORT (--port)"],
      [["--port", "0", "--metrics", `127.0.0.1:${port}`], "SITEWARD_METRICS (--metrics)"],
    ] as const) {
      const words = ["start", ...used, "--bootstrap"];
      const result = await runProgram([...words, "--workers", "3"], environment);
      const inUse = `listen EADDRINUSE: address already in use 127.0.0.1:${port}. Choose another address with ${named}.\n`;
      expect(result).toEqual({ exitCode: 1, stdout: "", stderr: inUse });
      expect(await runInProcess(words, environment)).toEqual(result);
    }
    other.close();
    expect((await runInProcess(["accounts", "list", "--json"], environment)).stdout).toBe("[]\n");
  });

  test("that hang are killed and replaced: their connections are closed, and new ones are answered", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 2, nodeOptions: importing(blockOnSignal) });
    const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const askEach = () => Promise.all(agents.map((agent) => server.ask(agent)));
    expect(new Set(await askEach())).toEqual(new Set([200]));
    const [hanging = 0] = server.workerPids();
    process.kill(hanging, "SIGUSR2");
    // A worker receives the signal between other events, and can still accept a connection before it.
    await sleep(300);
    const [kept, fresh] = await Promise.all([askEach(), askTenTimes(server)]);
    expect(new Set(kept)).toEqual(new Set([200, "ECONNRESET"]));
    // At most one was on its way to it.
    expect(fresh.filter((status) => status !== 200).length).toBeLessThanOrEqual(1);
    await server.untilLogged("Killing a worker that does not respond.");
    await server.untilLogged("A worker started.", 3);
    expect(server.workerPids()).not.toContain(hanging);
    expect(new Set(await askTenTimes(server))).toEqual(new Set([200]));
    for (const agent of agents) agent.destroy();
  });

  test("do not start if the first one fails, whose exit code the server has, and no other is started", async () => {
    await using database = await engines.sqlite({ isMigrated: true });
    const environment = { DATABASE_URL: database.databaseUrl, NODE_OPTIONS: importing(failInWorkers) };
    const result = await runProgram(["start", "--port", "0", "--workers", "3"], environment);
    expect(result).toEqual({
      exitCode: 7,
      stdout: "",
      stderr: "worker 1 fails\nNo worker could start: the first one ended with 7.\n",
    });
  });
});

/** Loaded before the program. */
const blockOnSignal = "process.on('SIGUSR2', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))";
/** Each worker says which it is, and fails. */
const failInWorkers =
  "const { SITEWARD_WORKER_SLOT: slot } = process.env;" +
  "if (slot !== undefined) { process.stderr.write('worker ' + slot + ' fails\\n'); process.exit(7); }";

function importing(source: string): string {
  return `--import=data:text/javascript,${encodeURIComponent(source)}`;
}

async function askTenTimes(server: WorkerServer): Promise<unknown[]> {
  return Promise.all(Array.from({ length: 10 }, () => server.ask()));
}

function endsOf(server: WorkerServer) {
  return server.program.logEntries().filter(({ msg }) => msg === "A worker ended unexpectedly.");
}
