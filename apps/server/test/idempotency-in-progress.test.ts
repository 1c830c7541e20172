import { createHook } from "node:async_hooks";
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempDisposableSync, openSync } from "node:fs";
import { open as openFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import type { Answer } from "@siteward/testing/answer";
import { openConnection } from "@siteward/testing/raw-connection";
import { describe, expect, test } from "vitest";
import { headOfCreate } from "./support/begin-create.ts";
import { engines } from "./support/engines.ts";
import { holdPasswords } from "./support/hold-passwords.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const path = "/api/v1/websites";
const website = { domain: "a.example", privacy: 2, password: "correct horse" };

describe("a create whose Idempotency-Key is in progress", () => {
  test("is a 409 with Retry-After or a 422 for another request, hashes no password, delays no others, and is replayed later", async () => {
    const { passwords, open, hashed } = holdPasswords(1);
    await using server = await startTestServer(engines.sqlite, { passwords });
    const first = create(server, website);
    await expect.poll(() => hashed.length).toBe(1);
    const second = await create(server, website);
    expect(second.refusal).toEqual([409, "idempotency_in_progress"]);
    expect(second.header("Retry-After")).toBe("1");
    expect((await create(server, { domain: "b.example" })).refusal).toEqual([422, "idempotency_key_reused"]);
    const { key } = await server.addAccount();
    for (const choice of [{ idempotencyKey: "other" }, { key }])
      expect((await create(server, { domain: "b.example" }, choice)).status).toBe(201);
    open();
    const created = await first;
    expect(created.status).toBe(201);
    const third = await create(server, website);
    expect([third.status, third.text, third.header("Idempotency-Replayed")]).toEqual([201, created.text, "true"]);
    expect(hashed).toHaveLength(1);
  });

  test("can be sent again as soon as the client of the first has disconnected, whose website is not created", async () => {
    const { passwords, open, hashed } = holdPasswords(1);
    await using server = await startTestServer(engines.sqlite, { passwords });
    const socket = await openConnection(server.url);
    const body = JSON.stringify(website);
    const headers = ["Idempotency-Key: k", "Content-Type: application/json"];
    socket.write(headOfCreate(server.key, body.length, ...headers) + body);
    await expect.poll(() => hashed.length).toBe(1);
    expect((await create(server, website)).status).toBe(409);
    socket.resetAndDestroy();
    // Once it has answered another, the server knows of the reset.
    await server.call("GET", path);
    open();
    await expect.poll(() => createAnew(server, website)).toEqual([201, null]);
  });
});

test("a create can be sent again after its client has disconnected while its body was decompressed", async () => {
  await using server = await startTestServer(engines.sqlite);
  const threads = holdThreads();
  const begun: string[] = [];
  const hook = createHook({ init: (_id, type) => void begun.push(type) }).enable();
  const socket = await openConnection(server.url);
  const body = gzipSync('{"domain":"a.example"}');
  const headers = ["Idempotency-Key: k", "Content-Type: application/json", "Content-Encoding: gzip"];
  socket.write(headOfCreate(server.key, body.length, ...headers));
  socket.write(body);
  await expect.poll(() => begun).toContain("ZLIB");
  hook.disable();
  // A client that only ends its side may still read.
  socket.resetAndDestroy();
  await server.call("GET", path);
  await threads.open();
  await expect.poll(() => createAnew(server, { domain: "a.example" })).toEqual([201, null]);
});

test("a SQLite database to which another process writes delays a create until that ends, and no read, and after too long it is a 503 with Retry-After that changes nothing and does not use up the Idempotency-Key", async () => {
  await using server = await startTestServer(engines.sqlite);
  using other = new DatabaseSync(server.path);
  other.exec("begin immediate");
  const refused = await create(server, { domain: "a.example" });
  expect(refused.refusal).toEqual([503, "unavailable"]);
  expect(Number(refused.header("Retry-After"))).toBeGreaterThanOrEqual(1);
  const creating = create(server, { domain: "a.example" });
  expect((await server.call("GET", path)).page.data).toEqual([]);
  other.exec("rollback");
  const created = await creating;
  expect([created.status, created.header("Idempotency-Replayed")]).toEqual([201, null]);
});

async function create(
  server: TestServer,
  json: object,
  { key = server.key, idempotencyKey = "k" } = {},
): Promise<Answer> {
  return server.call("POST", path, { json, key, headers: { "Idempotency-Key": idempotencyKey } });
}

/** Returns also whether the answer was that of an earlier create. */
async function createAnew(server: TestServer, json: object) {
  const answer = await create(server, json);
  return [answer.status, answer.header("Idempotency-Replayed")];
}

/** Keeps all threads that decompress waiting for a pipe, until `open` is called. */
function holdThreads() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "siteward-"));
  const pipe = join(folder.path, "pipe");
  execFileSync("mkfifo", [pipe]);
  const threads = Number(process.env["UV_THREADPOOL_SIZE"] ?? 4);
  const readers = Array.from({ length: threads }, () => openFile(pipe));
  const open = async () => {
    closeSync(openSync(pipe, "w"));
    for (const reader of readers) await (await reader).close();
    folder.remove();
  };
  return { open };
}
