import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { beginCreate } from "./support/begin-create.ts";
import { describeOnEveryEngineAtOnce, engines } from "./support/engines.ts";
import { runProgram, startProgram } from "./support/run-program.ts";
import { startWorkerServer } from "./support/worker-server.ts";

describeOnEveryEngineAtOnce("many workers", (engine) => {
  test("share an account: ids from 1 without gap or repeat, in order of time, an exact count, never more than the limit", async () => {
    const limit = 100;
    await using server = await startWorkerServer(engine, { workers: 4, websiteLimit: limit });
    const acknowledged: { id: number; domain: string; created_at: string }[] = [];
    const refused: string[] = [];
    const create = async (domain: string) => {
      const { status, text } = await server.create(domain);
      if (status === 201) acknowledged.push(JSON.parse(text).data);
      else refused.push(`${status} ${JSON.parse(text).code}`);
    };
    // Eight clients request 15 domains of their own and the same 5, which is more than the limit.
    const clients = Array.from({ length: 8 }, async (_, client) => {
      for (let turn = 0; turn < 20; turn += 1) {
        await create(turn % 4 === 0 ? `shared-${turn}.example.com` : `client-${client}-${turn}.example.com`);
      }
    });
    const readCount = async () => JSON.parse((await server.send({ path: "/api/v1/account" })).text).data.websites.count;
    const counts: number[] = [];
    let isDone = false;
    const watcher = (async () => {
      while (!isDone) counts.push(await readCount());
    })();
    await Promise.all(clients);
    isDone = true;
    await watcher;

    expect(acknowledged.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
      Array.from({ length: limit }, (_, i) => i + 1),
    );
    expect(refused).toHaveLength(60);
    expect(new Set(refused)).toEqual(new Set(["409 domain_taken", "403 website_limit_reached"]));
    const stored = await server.listAll();
    expect(stored).toEqual(acknowledged.toSorted((a, b) => a.id - b.id));
    const times = stored.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted());
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(Math.max(...counts)).toBeLessThanOrEqual(limit);
    expect(await readCount()).toBe(limit);
    expect(await server.database.findFaults()).toEqual([]);

    server.program.signal("SIGTERM");
    const { stderr } = await server.program.ended;
    const logged = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("Stopping: "));
    for (const line of logged) expect(JSON.parse(line)).toMatchObject({ level: 30 });
    const creators = server.program.logEntries().filter(({ method, status }) => method === "POST" && status === 201);
    expect(creators).toHaveLength(limit);
    expect(new Set(creators.map(({ pid }) => pid)).size).toBeGreaterThan(1);
  });

  test("all refuse a revoked key within 5 seconds", async () => {
    await using server = await startWorkerServer(engine, { workers: 3 });
    const ask = async () => {
      const asked = Array.from({ length: 12 }, () => server.send({ path: "/api/v1/account" }));
      return (await Promise.all(asked)).map(({ status }) => status);
    };
    expect(new Set(await ask())).toEqual(new Set([200]));
    await server.operate("keys", "revoke", server.key.slice(0, 12));
    const revokedMs = performance.now();
    // The key stays in use, so that no worker forgets it for lack of requests.
    while (performance.now() < revokedMs + 5000) {
      await ask();
      await sleep(50);
    }
    expect(new Set(await ask())).toEqual(new Set([401]));
    await sleep(300);
    const answered = server.program.logEntries().filter(({ status }) => status === 401);
    expect(new Set(answered.map(({ pid }) => pid)).size).toBe(3);
  });

  test("--bootstrap creates and prints one key, and SIGTERM ends every process with 0 once the requests in progress are answered", async () => {
    await using database = await engine();
    const environment = { DATABASE_URL: database.databaseUrl, SITEWARD_WORKERS: "4" };
    await using program = startProgram(["start", "--port", "0", "--bootstrap", "--json"], environment);
    const { url, key } = JSON.parse(await program.printed("\n"));
    const answer = await beginCreate(url, key);
    program.signal("SIGTERM");
    await sleep(300);
    answer.finish();
    expect((await answer.received).website.id).toBe(1);
    const { exitCode, stdout } = await program.ended;
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`${JSON.stringify({ url, key })}\n`);
    const accounts = await runProgram(["keys", "list", "--json"], environment);
    expect(JSON.parse(accounts.stdout)).toHaveLength(1);
  });

  test("end gracefully if the first process is killed", async () => {
    await using server = await startWorkerServer(engine, { workers: 2 });
    const answer = await beginCreate(server.url, server.key);
    server.program.signal("SIGKILL");
    await sleep(300);
    answer.finish();
    expect((await answer.received).website.id).toBe(1);
    await server.program.ended;
    expect(await server.database.findFaults()).toEqual([]);
  });
});

describe("many workers", { concurrent: true }, () => {
  test("end with the first process even if it is killed while they start", async () => {
    await using database = await engines.sqlite({ isMigrated: true });
    // Two, because a third one would be in no other state, and each start takes time of both cores.
    const environment = { DATABASE_URL: database.databaseUrl, SITEWARD_WORKERS: "2" };
    for (const waitMs of [0, 50, 100, 200, 300]) {
      await using program = startProgram(["start", "--port", "0", "--json"], environment);
      await program.printed("\n");
      await sleep(waitMs);
      program.signal("SIGKILL");
      // Its standard error stays open as long as one of them runs.
      expect(await Promise.race([program.ended, sleep(20_000, "they still run")])).not.toBe("they still run");
    }
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
    expect((await runProgram(["accounts", "list", "--json"], environment)).stdout).toBe("[]\n");
  });

  test.for([
    ["DATABASE_URL", `file:${import.meta.filename}/x.db`, 1],
    ["DATABASE_URL", "mysql://root:secret@db/x", 2],
    ["LOG_LEVEL", "loud", 2],
    ["SITEWARD_HOST", "a b", 2],
    ["SITEWARD_WORKERS", "0", 2],
    ["SITEWARD_WORKERS", "1.5", 2],
    ["SITEWARD_WORKERS", "many", 2],
  ] as const)("do not start with a %s that is not valid, which is reported once", async ([name, value, exitCode]) => {
    const result = await runProgram(["start", "--port", "0"], { SITEWARD_WORKERS: "3", [name]: value });
    expect(result).toMatchObject({ exitCode, stdout: "" });
    expect(result.stderr.trim().split("\n")).toHaveLength(1);
  });
});
