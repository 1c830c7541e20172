import { expect, test } from "vitest";
import type { Answer } from "./support/answer.ts";
import { describeOnEveryEngine } from "./support/engines.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

const websites = "/api/v1/websites";
const change = { json: { email: 1 } };

/** What each request is answered with if nothing is conditional, and the resource that it is about. */
const requests = {
  "GET record": { method: "GET", resource: "record", status: 200 },
  "HEAD record": { method: "HEAD", resource: "record", status: 200 },
  "PUT record": { method: "PUT", resource: "record", status: 200 },
  "DELETE record": { method: "DELETE", resource: "record", status: 204 },
  "GET list": { method: "GET", resource: "list", status: 200 },
  "GET account": { method: "GET", resource: "account", status: 200 },
} as const;

type Requests = { readonly [Name in keyof typeof requests]: number };

const all = (status: number): Requests => ({
  "GET record": status,
  "HEAD record": status,
  "PUT record": status,
  "DELETE record": status,
  "GET list": status,
  "GET account": status,
});
const done = { ...all(200), "DELETE record": 204 };
const held = { ...all(304), "PUT record": 412, "DELETE record": 412 };
/** The entity tags of a list and of an account are weak, so `If-Match` never matches them. */
const doneIfStrong = { ...done, "GET list": 412, "GET account": 412 };

/** The values of the two headers, made from the current entity tag, and the status that each request gets with them. */
const cells: ReadonlyArray<
  readonly [value: string, make: (tag: string) => string, ifMatch: Requests, ifNoneMatch: Requests]
> = [
  ["the current tag", (tag) => tag, doneIfStrong, held],
  ["another tag", () => '"9-9"', all(412), done],
  ["the current tag as a weak one", (tag) => weaken(tag), all(412), held],
  ["a list with the current tag", (tag) => `"9-9", ,\t${tag}`, doneIfStrong, held],
  ["a list without the current tag", () => '"9-9",W/"9-8",', all(412), done],
  ["*", () => "*", done, held],
  ["a tag without quotes", (tag) => tag.replaceAll('"', ""), all(400), all(400)],
  ["the current tag next to something else", (tag) => `${tag} x`, all(400), all(400)],
  ["* in a list", (tag) => `*, ${tag}`, all(400), all(400)],
  ["nothing", () => "", all(400), all(400)],
  ["a list of empty elements", () => ", ,", all(400), all(400)],
  ["65 tags", (tag) => Array(65).fill(tag).join(","), all(400), all(400)],
];

describeOnEveryEngine("a condition", (engine) => {
  test.for(cells)("with %s has the answer of RFC 9110 for each method and resource", async ([, make, ...expected]) => {
    await using server = await startTestServer(engine);
    for (const [index, header] of ["If-Match", "If-None-Match"].entries()) {
      const statuses: Record<string, number> = {};
      for (const [name, { method, resource, status }] of Object.entries(requests)) {
        const path = await createResource(server, resource, `${index}-${name.replace(" ", "-")}.example`);
        const before = await server.call("GET", path);
        const tag = before.header("ETag") ?? "";
        const answer = await send(server, method, path, { [header]: make(tag) });
        statuses[name] = answer.status;
        expectBareOrCurrent(answer, tag);
        if (answer.status !== status) expect((await server.call("GET", path)).header("ETag")).toBe(tag);
      }
      expect(statuses, header).toEqual(expected[index]);
    }
  });

  test("about a website that does not exist is not judged: the answer is 404", async () => {
    await using server = await startTestServer(engine);
    for (const method of ["GET", "PUT", "DELETE"]) {
      for (const header of ["If-Match", "If-None-Match"]) {
        for (const value of ["*", '"1-1-1"']) {
          const answer = await send(server, method, `${websites}/1`, { [header]: value });
          expect(answer.refusal).toEqual([404, "not_found"]);
        }
        expect((await send(server, method, `${websites}/1`, { [header]: "1" })).refusal[0]).toBe(400);
      }
    }
  });

  test("is refused in a POST, which says which header to remove, and creates nothing", async () => {
    await using server = await startTestServer(engine);
    for (const header of ["If-Match", "If-None-Match"]) {
      for (const value of ["*", '"1-1-1"', "nonsense"]) {
        const json = { domain: "example.com" };
        const answer = await server.call("POST", websites, { json, headers: { [header]: value } });
        expect(answer.refusal).toEqual([400, "malformed_request"]);
        expect(answer.problem.detail).toContain(`Remove the ${header} header.`);
      }
    }
    expect((await server.call("GET", websites)).page.meta.total).toBe(0);
  });

  test("If-Match is judged before If-None-Match", async () => {
    await using server = await startTestServer(engine);
    const path = await createResource(server, "record", "example.com");
    const both = (ifMatch: string, ifNoneMatch: string) =>
      server.call("GET", path, { headers: { "If-Match": ifMatch, "If-None-Match": ifNoneMatch } });
    expect((await both('"1-1-2"', '"1-1-1"')).status).toBe(412);
    expect((await both('"1-1-1"', '"1-1-1"')).status).toBe(304);
    expect((await both('"1-1-1"', '"1-1-2"')).status).toBe(200);
  });

  test("about time is ignored, because no answer says when it was last modified", async () => {
    await using server = await startTestServer(engine);
    const path = await createResource(server, "record", "example.com");
    const later = new Date(Date.now() + 60_000).toUTCString();
    expect((await server.call("GET", path, { headers: { "If-Modified-Since": later } })).status).toBe(200);
    const past = { "If-Unmodified-Since": new Date(0).toUTCString() };
    expect((await server.call("PUT", path, { ...change, headers: past })).status).toBe(200);
  });

  test("of a page outside of the API is ignored, except for If-None-Match: *", async () => {
    await using server = await startTestServer(engine);
    for (const path of ["/openapi.json", "/docs/errors", "/healthz"]) {
      expect((await server.call("GET", path, { headers: { "If-None-Match": "nonsense" } })).status).toBe(200);
      expect((await server.call("GET", path, { headers: { "If-Match": '"1"' } })).status).toBe(200);
      expect((await server.call("GET", path, { headers: { "If-None-Match": "*" } })).status).toBe(304);
    }
  });
});

describeOnEveryEngine("a failed If-Match", (engine) => {
  test("is answered with the current entity tag, with which the request succeeds", async () => {
    await using server = await startTestServer(engine);
    const path = await createResource(server, "record", "example.com");
    const read = await server.call("GET", path);
    const changed = await server.call("PUT", path, { json: { privacy: 1 } });
    const refused = await server.call("PUT", path, { ...change, headers: { "If-Match": read.etag } });
    expect(refused.refusal).toEqual([412, "precondition_failed"]);
    expect(refused.etag).toBe(changed.etag);
    expect(refused.problem.detail).toContain(`The record has changed: its entity tag is ${changed.etag}.`);
    const retried = await server.call("PUT", path, { ...change, headers: { "If-Match": refused.etag } });
    expect([retried.status, retried.website.privacy, retried.website.email]).toEqual([200, 1, 1]);
  });

  test("with the current tag as a weak one says so, because reading the record again does not help", async () => {
    await using server = await startTestServer(engine);
    const path = await createResource(server, "record", "example.com");
    const { problem } = await server.call("PUT", path, { ...change, headers: { "If-Match": 'W/"1-1-1"' } });
    expect(problem.detail).toContain('The record has not changed: send "1-1-1" without W/.');
  });

  test("refuses an update that would change nothing too", async () => {
    await using server = await startTestServer(engine);
    const path = await createResource(server, "record", "example.com");
    const nothing = (tag: string) => server.call("PUT", path, { json: {}, headers: { "If-Match": tag } });
    expect((await nothing('"1-1-2"')).status).toBe(412);
    const unchanged = await nothing('"1-1-1"');
    expect([unchanged.status, unchanged.etag]).toEqual([200, '"1-1-1"']);
  });

  test("comes after every other refusal", async () => {
    await using server = await startTestServer(engine);
    const path = await createResource(server, "record", "example.com");
    const headers = { "If-Match": '"9-9"' };
    const readOnly = await server.addKey({ scopes: ["websites:read"] });
    const put = async (options: object) => (await server.call("PUT", path, { headers, ...options })).status;
    expect(await put({ ...change, key: null })).toBe(401);
    expect(await put({ ...change, key: readOnly })).toBe(403);
    expect(await put({ body: "{", headers: { ...headers, "Content-Type": "application/json" } })).toBe(400);
    expect(await put({ json: { domain: "x".repeat(64 * 1024) } })).toBe(413);
    expect(await put({ body: "x", headers: { ...headers, "Content-Type": "text/xml" } })).toBe(415);
    for (const json of [{ email: 9 }, { privacy: 2 }, { password: "correct horse" }])
      expect(await put({ json })).toBe(422);
    expect(await put(change)).toBe(412);
  });
});

describeOnEveryEngine("a 304", (engine) => {
  test("says how many requests the key may still send, as every answer does", async () => {
    await using server = await startTestServer(engine, { settings: { SITEWARD_RATE_LIMIT: "100" } });
    const path = await createResource(server, "record", "example.com");
    for (const [header, status] of [
      ["If-None-Match", 304],
      ["If-Match", 200],
    ] as const) {
      const answer = await server.call("GET", path, { headers: { [header]: '"1-1-1"' } });
      expect(answer.status).toBe(status);
      expect(answer.header("RateLimit-Policy")).toBe('"default";q=100;w=60');
      expect(answer.header("RateLimit")).toMatch(/^"default";r=\d+;t=\d+$/);
    }
  });

  test("of a record is that of no other account, whose record can have the same URL", async () => {
    await using server = await startTestServer(engine);
    const other = await server.addAccount();
    const { etag } = await server.call("POST", websites, { json: { domain: "a.example" } });
    const created = await server.call("POST", websites, { json: { domain: "b.example" }, key: other.key });
    const path = `${websites}/${created.website.id}`;
    const send = (method: string, headers: Record<string, string>) =>
      server.call(method, path, { key: other.key, headers, ...(method === "PUT" ? change : {}) });
    expect((await server.call("GET", path)).etag).toBe(etag);
    expect((await send("GET", { "If-None-Match": String(etag) })).status).toBe(200);
    expect((await send("PUT", { "If-Match": String(etag) })).status).toBe(412);
    expect((await send("DELETE", { "If-Match": String(etag) })).status).toBe(412);
  });

  test("of a list means that the page is still the same, after any change of the account", async () => {
    await using server = await startTestServer(engine);
    const other = await server.addAccount();
    const queries = ["", "?page=2", "?search=b.ex", "?sort_by=domain&sort=asc"];
    const bodies = new Map<string, string>();
    const readAll = async () => {
      for (const query of queries) {
        for (const key of [server.key, other.key]) {
          const page = await server.call("GET", `${websites}${query}`, { key });
          const tag = page.header("ETag") ?? "";
          expect(tag).toMatch(/^W\/"-?\d+\.-?\d+"$/);
          const known = bodies.get(`${query} ${tag}`) ?? page.text;
          expect(page.text).toBe(known);
          bodies.set(`${query} ${tag}`, known);
          const again = await server.call("GET", `${websites}${query}`, { key, headers: { "If-None-Match": tag } });
          expect(again.status).toBe(304);
        }
      }
    };
    await readAll();
    for (let count = 1; count <= 12; count += 1) {
      await server.call("POST", websites, { json: { domain: `${count}.${"ab"[count % 2]}.example` } });
      await server.call("POST", websites, { json: { domain: `${count}.b.example` }, key: other.key });
      if (count <= 2 || count >= 10) await readAll();
    }
    for (const [method, id, json] of [
      ["PUT", 1, { email: 1 }],
      ["PUT", 2, { privacy: 1 }],
      ["PUT", 1, { email: 0 }],
      ["DELETE", 2, undefined],
      ["DELETE", 3, undefined],
    ] as const) {
      await server.call(method, `${websites}/${id}`, json === undefined ? {} : { json });
      await readAll();
    }
    expect(bodies.size).toBeGreaterThan(30);
  });

  test("of the account does not depend on when the key was last used, and is not sent for another key or after a change", async () => {
    await using server = await startTestServer(engine);
    const read = await server.call("GET", "/api/v1/account");
    const tag = read.header("ETag") ?? "";
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    const again = (key = server.key) =>
      server.call("GET", "/api/v1/account", { key, headers: { "If-None-Match": tag } });
    await server.flush();
    await server.execute("update api_keys set last_used_at = 1");
    expect((await again()).status).toBe(304);
    expect((await again(await server.addKey())).status).toBe(200);
    await server.call("POST", websites, { json: { domain: "example.com" } });
    expect((await again()).account.websites.count).toBe(1);
  });
});

function weaken(tag: string): string {
  return tag.startsWith("W/") ? tag : `W/${tag}`;
}

/** Returns the path of the resource. A website is created if the path is that of a record. */
async function createResource(
  server: TestServer,
  resource: "record" | "list" | "account",
  domain: string,
): Promise<string> {
  if (resource === "list") return websites;
  if (resource === "account") return "/api/v1/account";
  const created = await server.call("POST", websites, { json: { domain } });
  return `${websites}/${created.website.id}`;
}

function send(server: TestServer, method: string, path: string, headers: Record<string, string>): Promise<Answer> {
  return server.call(method, path, { headers, ...(method === "PUT" ? change : {}) });
}

/** A 304 and a 412 contain the current entity tag. A 304 has nothing about a content, as it has none. */
function expectBareOrCurrent(answer: Answer, tag: string): void {
  if (answer.status !== 304 && answer.status !== 412) return;
  expect(answer.header("ETag")).toBe(tag);
  expect(answer.header("Cache-Control")).toBe("no-store");
  expect(answer.header("X-Request-Id")).not.toBeNull();
  if (answer.status === 412) return;
  expect(answer.text).toBe("");
  expect(answer.header("Content-Type")).toBeNull();
  expect(answer.header("Content-Length")).toBeNull();
}
