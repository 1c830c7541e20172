import { once } from "node:events";
import { Agent } from "node:http";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { beginCreate } from "./support/begin-create.ts";
import { engines } from "./support/engines.ts";
import { runProgram, startProgram } from "./support/run-program.ts";
import { startWorkerServer, type WorkerServer } from "./support/worker-server.ts";

// What these processes do does not depend on the engine.
describe("many workers", { concurrent: true }, () => {
  test("are each replaced when they end or hang, at the same address, requests are answered meanwhile, and they end gracefully if the first process is killed", async () => {
    await using server = await startWorkerServer(engines.sqlite, { workers: 2 });
    const [hanging = 0, asked = 0] = server.workerPids();
    expect((await server.create("before.example.com")).status).toBe(201);
    const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const askEach = () => Promise.all(agents.map((agent) => server.ask(agent)));
    expect(new Set(await askEach())).toEqual(new Set([200]));
    // One new connection is on its way to it. Its client must not wait for an answer that never comes.
    process.kill(hanging, "SIGSTOP");
    const answers: unknown[] = [];
    for (let count = 0; count < 10; count += 1) void server.ask().then((answer) => answers.push(answer));
    const kept = askEach();
    await vi.waitUntil(() => answers.length === 9, { timeout: 60_000 });
    await server.untilLogged("Killing a worker that does not respond.");
    await server.untilLogged("A worker ended unexpectedly.");
    await vi.waitUntil(() => answers.length === 10, { timeout: 60_000 });
    expect(answers.toSorted()).toEqual([...Array<number>(9).fill(200), "ECONNRESET"]);
    expect(new Set(await kept)).toEqual(new Set([200, "ECONNRESET"]));
    expect(new Set(await askTenTimes(server))).toEqual(new Set([200]));
    await server.untilLogged("A worker started.", 3);
    expect(server.workerPids()).toHaveLength(2);
    expect(server.workerPids()).toContain(asked);
    expect(server.workerPids()).not.toContain(hanging);
    process.kill(asked, "SIGTERM");
    await server.untilLogged("A worker started.", 4);
    expect(server.ends()).toEqual([
      expect.objectContaining({ worker_pid: hanging, signal: "SIGKILL" }),
      expect.objectContaining({ worker_pid: asked, exit_code: 0 }),
    ]);
    for (const pid of server.workerPids()) process.kill(pid, "SIGKILL");
    // While there is none, connections are refused.
    await server.untilLogged("A worker started.", 6);
    expect(new Set(await askTenTimes(server))).toEqual(new Set([200]));
    expect(server.ends()).toHaveLength(4);
    for (const agent of agents) agent.destroy();

    const answer = await beginCreate(server.url, server.key);
    server.program.child.kill("SIGKILL");
    await sleep(300);
    answer.finish();
    expect((await answer.received).website.id).toBe(2);
    await server.program.ended;
    expect(await server.database.findFaults()).toEqual([]);
  });

  test("--bootstrap creates and prints one key, and SIGTERM ends every process with 0 once the requests in progress are answered", async () => {
    await using database = await engines.sqlite();
    const words = ["start", "--port", "0", "--bootstrap", "--json", "--workers", "2"];
    await using program = startProgram(words, database.environment);
    const { url, key } = JSON.parse(await program.printed("\n"));
    const answer = await beginCreate(url, key);
    program.child.kill("SIGTERM");
    await sleep(300);
    answer.finish();
    expect((await answer.received).website.id).toBe(1);
    const { exitCode, stdout } = await program.ended;
    expect([exitCode, stdout]).toEqual([0, `${JSON.stringify({ url, key })}\n`]);
    expect(await database.operate("keys list")).toHaveLength(1);
  });

  test("do not start if a port is in use: the line, exit code and database are as with one process", async () => {
    await using database = await engines.sqlite();
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = String(typeof address === "object" ? address?.port : undefined);
    for (const [used, named] of [
      [["--port", port], "SITEWARD_HOST (--host) or SITEWARD_PORT (--port)"],
      [["--port", "0", "--metrics", `127.0.0.1:${port}`], "SITEWARD_METRICS (--metrics)"],
    ] as const) {
      const words = ["start", ...used, "--bootstrap"];
      const result = await runProgram([...words, "--workers", "3"], database.environment);
      const inUse = `listen EADDRINUSE: address already in use 127.0.0.1:${port}. Choose another address with ${named}.\n`;
      expect(result).toEqual({ exitCode: 1, stdout: "", stderr: inUse });
      expect(await database.run(words)).toEqual(result);
    }
    other.close();
    expect(await database.operate("accounts list")).toEqual([]);
  });

  test("do not start if the first one fails, whose exit code the server has, and no other is started", async () => {
    await using database = await engines.sqlite({ isMigrated: true });
    const environment = { ...database.environment, NODE_OPTIONS: failInWorkers };
    const result = await runProgram(["start", "--port", "0", "--workers", "3"], environment);
    expect(result).toEqual({
      exitCode: 7,
      stdout: "",
      stderr: "worker 1 fails\nNo worker could start: the first one ended with 7.\n",
    });
  });
});

/** Loaded before the program: each worker says which it is, and fails. */
const failInWorkers = `--import=data:text/javascript,${encodeURIComponent(`
  const { SITEWARD_WORKER_SLOT: slot } = process.env;
  if (slot !== undefined) { process.stderr.write("worker " + slot + " fails\\n"); process.exit(7); }`)}`;

async function askTenTimes(server: WorkerServer): Promise<unknown[]> {
  return Promise.all(Array.from({ length: 10 }, () => server.ask()));
}
