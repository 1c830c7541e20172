import { chmod, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { Answer } from "@siteward/testing/answer";
import { createPostgresDatabase } from "@siteward/testing/engines/postgres";
import { startPostgresCluster } from "@siteward/testing/postgres-cluster";
import { describe, expect, test } from "vitest";
import { engines, toTestDatabase } from "./support/engines.ts";
import { runInProcess } from "./support/run-in-process.ts";
import { startUnprivileged } from "./support/run-program.ts";
import { createFilledPlace } from "./support/storage/filled-place.ts";
import { startTestServer } from "./support/test-server.ts";

const detail = /^The database is read-only and accepts no changes\. Nothing was changed\. Retry the request once /;

describe("a SQLite database that may not be written", () => {
  const remedy =
    "Let the user that runs Siteward read and write the file, the files next to it that end in -wal and -shm, " +
    "and its folder.\n";

  test.for([
    ["its file", "write to ", "0444", (path: string) => path],
    ["its folder", "create files in ", "0555", (path: string) => dirname(path)],
  ] as const)(
    "because of %s stops the start and commands that write, which say what to permit",
    async ([place, action, mode, locate]) => {
      await using filled = await createFilledPlace();
      const { path, environment } = filled;
      const refused = locate(path);
      await chmod(refused, Number.parseInt(mode, 8));
      const { username, uid, gid } = userInfo();
      const refusal = {
        exitCode: 1,
        stdout: "",
        stderr:
          `Cannot write to the database file ${path}: user ${username} (${uid}) may not ${action}${refused}, ` +
          `which belongs to user ${uid} and group ${gid} and has mode ${mode}. ${remedy}`,
      };
      const lines = ["start --port 0 --workers 2", "keys create --account 1 --name ci"];
      for (const line of place === "its file" ? lines : lines.slice(0, 1)) {
        await using program = startUnprivileged(line.split(" "), environment);
        expect(await program.ended).toEqual(refusal);
      }
      await chmod(refused, 0o700);
    },
  );

  test("is named by each change and by /readyz of a worker that opened it so, and is used once it may be written", async () => {
    await using folder = await createFilledPlace();
    const { key } = await folder.operate("keys create --account 1 --name ci");
    const words = ["start", "--port", "0", "--workers", "2"];
    await using program = startUnprivileged(words, folder.environment);
    const url = /http:\S+/.exec(await program.printed("listening"))?.[0] ?? "";
    // A worker that is replaced waits for connections that are idle.
    const headers = { Authorization: `Bearer ${key}`, Connection: "close" };
    const call = async (path: string, init?: RequestInit) =>
      await Answer.read(await fetch(`${url}${path}`, { headers, ...init }));
    const create = (domain: string) =>
      call("/api/v1/websites", { method: "POST", body: new URLSearchParams({ domain }) });
    expect((await call("/readyz")).status).toBe(200);
    await chmod(folder.path, 0o444);
    await using list = startUnprivileged(["accounts", "list"], folder.environment);
    expect(await list.ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Acme") });
    program.child.kill("SIGHUP");
    const messages = () => program.logEntries().map(({ msg }) => msg);
    await expect.poll(messages).toContain("Replaced all workers.");
    const isRefused = async () => (await call("/readyz")).status === 503;
    for (const _ of [1, 2]) await expect.poll(isRefused).toBe(true);
    for (const domain of ["a.example", "b.example"]) {
      const answer = await create(domain);
      expect(answer.refusal).toEqual([503, "unavailable"]);
      expect(answer.problem.detail).toMatch(detail);
      expect(answer.header("Retry-After")).toBe("5");
    }
    expect((await call("/readyz")).problem.detail).toMatch(detail);
    const failures = () =>
      program.logEntries().filter(({ level, status }) => Number(level) >= 50 && status === undefined);
    await expect.poll(() => failures().length).toBeGreaterThan(0);
    for (const failure of failures()) {
      const reason = expect.stringContaining(`may not write to ${folder.path}`);
      expect(failure).toMatchObject({ msg: expect.stringMatching(detail), reason });
      expect(failure).not.toHaveProperty("err");
    }
    for (const end of ["", "-wal", "-shm"]) await chmod(`${folder.path}${end}`, 0o644);
    // Nobody sends changes to a server that is not ready. The workers get connections in turn, and each asks for itself.
    const statuses = () => Promise.all([1, 2].map(async () => (await call("/readyz")).status));
    await expect.poll(statuses).toEqual([200, 200]);
    expect((await create("c.example")).status).toBe(201);
    // A file that is open stays writable.
    await chmod(folder.path, 0o444);
    expect((await create("d.example")).status).toBe(201);
    expect((await call("/readyz")).status).toBe(200);
  });
});

describe("a PostgreSQL database that may not be written", () => {
  const writes = [
    "start --port 0",
    "accounts create --name B --email b@example.com",
    "keys create --account 1 --name a",
  ];

  test("because its transactions are read-only stops the start and commands that write, which say what to turn off", async () => {
    await using server = await startTestServer(engines.postgres);
    const { hostname, port, pathname } = new URL(server.databaseUrl);
    await server.execute(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`);
    const stderr =
      `Cannot write to the PostgreSQL database ${pathname.slice(1)} on ${hostname}:${port}: its transactions are ` +
      "read-only. Turn off `default_transaction_read_only` where it is set: for the database, the role, the server " +
      "or in the URL.\n";
    for (const line of writes) expect(await server.run(line)).toEqual({ exitCode: 1, stdout: "", stderr });
    for (const line of ["accounts list", "audit --account 1", "keys list", "migrate"])
      expect(await server.run(line)).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("by its role stops the start, which names the rights and how to grant them", async () => {
    await using server = await startTestServer(engines.postgres);
    const role = `reader_${new URL(server.databaseUrl).pathname.slice(-16)}`;
    await server.execute(`create role ${role} login; grant select on all tables in schema public to ${role}`);
    const environment = { DATABASE_URL: Object.assign(new URL(server.databaseUrl), { username: role }).href };
    const refused = await runInProcess("start --port 0", environment);
    await server.execute(
      `grant insert on all tables in schema public to ${role}; grant update (website_count) on accounts to ${role}`,
    );
    expect((await runInProcess("keys create --account 1 --name a", environment)).exitCode).toBe(0);
    await server.execute(`drop owned by ${role}; drop role ${role}`);
    expect(refused).toMatchObject({ exitCode: 1, stdout: "" });
    expect(refused.stderr).toContain(
      `the role "${role}" may not update rows of accounts, insert rows of websites, insert rows of audit_entries. Run ` +
        `\`grant select, insert, update, delete on all tables in schema public to "${role}"\` as their owner.\n`,
    );
  });

  test("is named by each change and by /readyz while the server runs, and is used once it may be written", async () => {
    await using server = await startTestServer(engines.postgres);
    const name = new URL(server.databaseUrl).pathname.slice(1);
    expect((await server.create("a.example")).status).toBe(201);
    // As after a failover, all connections are new.
    await server.execute(`alter database ${name} set default_transaction_read_only = on;
      select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = '${name}'`);
    await expect.poll(async () => (await server.readiness()).status).toBe(503);
    await expect.poll(async () => (await server.readiness()).problem.detail).toMatch(detail);
    const answer = await server.create("b.example");
    expect(answer.refusal).toEqual([503, "unavailable"]);
    expect(answer.problem.detail).toMatch(detail);
    expect((await server.call("GET", "/api/v1/websites")).page.data).toHaveLength(1);
    await server.execute(`begin read write; alter database ${name} reset default_transaction_read_only; commit`);
    await expect.poll(async () => (await server.readiness()).status).toBe(200);
    expect((await server.create("b.example")).status).toBe(201);
  });

  test("because the server at its address is a replica now is named by each request until that is promoted", async () => {
    await using cluster = await startPostgresCluster();
    const database = toTestDatabase(await createPostgresDatabase(cluster.urlOf, "siteward"));
    await using server = await startTestServer(async () => database);
    await cluster.stop("fast");
    await writeFile(join(cluster.folder, "standby.signal"), "");
    await cluster.start();
    await expect.poll(async () => (await server.readiness()).problem.detail).toMatch(detail);
    expect((await server.create("a.example")).problem.detail).toMatch(detail);
    await server.execute("select pg_promote()");
    await expect.poll(async () => (await server.readiness()).status).toBe(200);
    expect((await server.create("a.example")).status).toBe(201);
  });
});
