import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { describeOnEveryEngine, engines } from "./support/engines.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const secrets = /correct|horse|argon2|at .*\.ts:\d+|no such table|database is not open|sqlite/i;

describeOnEveryEngine("a database that fails", (engine) => {
  test("internal, 500: leaks nothing to the client, and the log has the error with the request's id", async () => {
    await using server = await startTestServer(engine);
    await server.call("GET", "/api/v1/account");
    await server.storage.close();
    const form = { domain: "example.com", privacy: 2, password: "correct horse" };
    const answer = await server.call("POST", "/api/v1/websites", { form });
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(answer.text).not.toMatch(secrets);
    const logged = server.log.entries.filter((entry) => entry["request_id"] === answer.problem.request_id);
    expect(logged).toContainEqual(
      expect.objectContaining({ level: 50, err: expect.objectContaining({ stack: expect.any(String) }) }),
    );
    expect(server.log.text).not.toMatch(/correct|horse/);
    expect(server.log.text).not.toContain(server.key);
  });

  test("unavailable, 503: /readyz says when to retry, while /healthz succeeds", async () => {
    await using server = await startTestServer(engine);
    expect(JSON.parse((await server.call("GET", "/readyz", { key: null })).text)).toEqual({ status: "ready" });
    await server.storage.close();
    await expect.poll(() => readinessOf(server)).toBe(503);
    const answer = await server.call("GET", "/readyz", { key: null });
    expect(answer.refusal).toEqual([503, "unavailable"]);
    expect(answer.header("Retry-After")).toBe("1");
    expect(answer.text).not.toMatch(secrets);
    expect(JSON.parse((await server.call("GET", "/healthz", { key: null })).text)).toEqual({ status: "ok" });
  });
});

describe("a SQLite database that another process damages or locks", () => {
  test("a write that waits for another process is answered once that ends, and reads continue meanwhile", async () => {
    await using server = await startTestServer(engines.sqlite);
    using other = new DatabaseSync(server.databaseUrl.slice("file:".length));
    other.exec("begin immediate");
    const write = server.call("POST", "/api/v1/websites", { form: { domain: "example.com" } });
    expect((await server.call("GET", "/api/v1/websites")).page.data).toEqual([]);
    other.exec("commit");
    expect((await write).status).toBe(201);
  });

  test("unavailable, 503 with Retry-After: a write that waits too long for another process changes nothing", async () => {
    await using server = await startTestServer(engines.sqlite);
    using other = new DatabaseSync(server.databaseUrl.slice("file:".length));
    other.exec("begin immediate");
    const answer = await server.call("POST", "/api/v1/websites", { form: { domain: "example.com" } });
    expect(answer.refusal).toEqual([503, "unavailable"]);
    expect(Number(answer.header("Retry-After"))).toBeGreaterThanOrEqual(1);
    other.exec("rollback");
    expect((await server.call("GET", "/api/v1/websites")).page.data).toEqual([]);
  });
});

async function readinessOf(server: TestServer): Promise<number> {
  return (await server.call("GET", "/readyz", { key: null })).status;
}
