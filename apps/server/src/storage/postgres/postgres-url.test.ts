import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type PostgresCluster, startPostgresCluster } from "@siteward/testing/postgres-cluster";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engines } from "../../../test/support/engines.ts";
import { runProgram } from "../../../test/support/run-program.ts";
import { openStorage } from "../open-storage.ts";
import { cancelQuery } from "./cancel-query.ts";
import { readPostgresUrl } from "./postgres-url.ts";

const setting = "DATABASE_URL (--database-url)";

describe("a PostgreSQL URL", () => {
  it("sets the address and the user, and can set the size of the pool, the timeouts and whether statements are prepared", () => {
    const url = "postgres://user:p%40ss@db.example:6432/siteward";
    const client = { host: "db.example", port: 6432, user: "user", password: "p@ss", database: "siteward" };
    const defaults = { maxConnections: 10, poolTimeoutMs: 2_000, statementTimeoutMs: 5_000, preparesStatements: true };
    expect(readPostgresUrl(url, setting)).toMatchObject({ client, ...defaults });
    const parameters = "pool_max_conns=4&pool_timeout=1&statement_timeout=700&prepared_statements=false";
    const set = { maxConnections: 4, poolTimeoutMs: 1_000, statementTimeoutMs: 700, preparesStatements: false };
    const settings = readPostgresUrl(`${url}?${parameters}`, setting);
    expect(settings).toMatchObject({ client, ...set });
    expect(settings.client).not.toHaveProperty("statement_timeout");
  });

  const start = "postgres://u:secret@127.0.0.1:1/db";
  it.each([
    [`${start}?pool_max_conns=1`, "pool_max_conns=1. Use a whole number from 3 to 1000"],
    [`${start}?statement_timeout=5s`, "statement_timeout=5s. Use a whole number from 100 to 60000"],
    [`${start}?prepared_statements=no`, "prepared_statements=no. Use true or false"],
    [`${start}?sslmode=prefer`, "sslmode=prefer. Use one of disable, require, verify-ca, verify-full"],
    [`${start}?poolsize=5`, 'an unknown parameter "poolsize". Use one of application_name, host'],
    [`${start}?sslrootcert=/nowhere/ca.crt`, "cannot be used: ENOENT"],
    [`${start}?sslmode=verify-ca`, "verify-ca requires specifying a CA"],
    ["postgres://u:secret@", "is not a URL"],
    ["postgres://u:12@secret@127.0.0.1:1/db", "encode special characters"],
    ["postgres://u:12#secret@127.0.0.1:1/db", "encode special characters"],
    ["postgres://u:12/secret@127.0.0.1:1/db", "encode special characters"],
    ["postgres://u:12?secret@127.0.0.1:1/db", "encode special characters"],
    ["postgres://secret/1:p@127.0.0.1:1/db", "encode special characters"],
    ["postgres://u:secret%@127.0.0.1:1/db", "encode special characters"],
    ["postgres://u:secret%zz@127.0.0.1:1/db", "encode special characters"],
  ])("such as %s is refused with the name of the setting, the reason and without the password", async (url, reason) => {
    const opening = openStorage({ databaseUrl: url, setting });
    await expect(opening).rejects.toThrow(reason);
    await expect(opening).rejects.toThrow(setting);
    await expect(opening).rejects.not.toThrow("secret");
  });

  it.each([
    ["mysql://u:secret@h/db", "REPLICAS is not a URL"],
    ["postgres://user:secret@db/x?sslmode=prefer", "REPLICAS has sslmode=prefer"],
  ])("of a replica is refused with the name of its own setting: %s", async (url, reason) => {
    const replicas = [{ databaseUrl: url, setting: "REPLICAS" }];
    await expect(openStorage({ databaseUrl: "postgres://127.0.0.1:1/siteward", replicas })).rejects.toThrow(reason);
  });
});

describe("a PostgreSQL server that requires a password", () => {
  it("is reported as such if none is set, and the command exits at once", async () => {
    const files = [new URL("../../../test/scram/pg_hba.conf", import.meta.url)];
    // Otherwise the command would wait that long for the server to close the connection.
    await using cluster = await startPostgresCluster({ files, settings: ["authentication_timeout=600"] });
    const result = await runProgram(["accounts", "list"], { DATABASE_URL: cluster.urlOf("postgres") });
    expect(result).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: expect.stringContaining("Set it in the URL or in PGPASSWORD."),
    });
  });
});

describe("TLS to PostgreSQL", () => {
  const authority = fileURLToPath(new URL("../../../test/tls/ca.crt", import.meta.url));
  const started = new AsyncDisposableStack();
  let cluster: PostgresCluster;

  beforeAll(async () => {
    const files = ["ca.crt", "server.crt", "server.key"].map(
      (name) => new URL(`../../../test/tls/${name}`, import.meta.url),
    );
    cluster = started.use(await startPostgresCluster({ settings: ["ssl=on"], files }));
  });

  afterAll(() => started.disposeAsync());

  it("is what the URL sets: off, without a check of the certificate, or with a check of its authority and host name", async () => {
    const open = (host: string, parameters: string) => tryToOpen(cluster, host, parameters);
    expect(await open("localhost", "sslmode=disable")).toBe("opened");
    expect(await open("localhost", "sslmode=require")).toBe("opened");
    expect(await open("localhost", "sslmode=verify-full")).toContain("unable to verify the first certificate");
    expect(await open("localhost", `sslmode=verify-full&sslrootcert=${authority}`)).toBe("opened");
    expect(await open("127.0.0.1", `sslmode=verify-full&sslrootcert=${authority}`)).toContain(
      "does not match certificate",
    );
    expect(await open("127.0.0.1", `sslmode=verify-ca&sslrootcert=${authority}`)).toBe("opened");
  });

  it("is how a query is canceled too", async () => {
    const search = `sslmode=verify-full&sslrootcert=${authority}`;
    const url = Object.assign(new URL(cluster.urlOf("postgres")), { hostname: "localhost", search });
    const pool = new pg.Pool(readPostgresUrl(url.href, setting).client);
    const client = await pool.connect();
    const sleeping = client.query("select pg_sleep(60)").catch((error: unknown) => error);
    // A request that comes before the query has no effect.
    let error: unknown;
    while (error === undefined) {
      await cancelQuery(client);
      error = await Promise.race([sleeping, sleep(100)]);
    }
    expect(error).toMatchObject({ code: "57014" });
    client.release(true);
    await pool.end();
  });

  it("fails if the server does not support it, and is never turned off silently", async () => {
    await using plain = await engines.postgres();
    await expect(openStorage({ databaseUrl: `${plain.databaseUrl}?sslmode=require` })).rejects.toThrow(
      "does not support SSL",
    );
  });
});

async function tryToOpen(cluster: PostgresCluster, host: string, parameters: string): Promise<string> {
  const url = Object.assign(new URL(cluster.urlOf("postgres")), { hostname: host, search: parameters });
  try {
    await (await openStorage({ databaseUrl: url.href })).close();
    return "opened";
  } catch (error) {
    return String(error);
  }
}
