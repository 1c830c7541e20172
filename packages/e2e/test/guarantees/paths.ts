import { expect } from "vitest";
import { accountPath, one, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

/** Paths that do not exist. */
const unknownPaths = [
  ...["/api", "/api/v1", "/api/v1/nothing", "/api/v2/websites", `${one}/2`, `${one}/more`],
  ...["/%", "/docs/errors/nothing", "/<script>", "/HEALTHZ", "/Readyz", "/OpenAPI.json", "/Docs", "/Docs/errors"],
  ...["/docs/errors/NOT_FOUND", "/API/v1/websites", "/api/v1/Websites"],
];

/** Strings that are not IDs. */
const badIds = [
  ...["0", "-1", "1.5", "1.0", "abc", "007", "01", "1e3", "1e0", "0x1", "+1", "1%20", "%201", "1%00", "null", "NaN"],
  ...["٣", "9007199254740993", "9".repeat(15), "9".repeat(400), "1;2", "1,2"],
];

/** The paths of the API, with their methods. */
const pathMethods = [
  [websites, ["GET", "POST", "HEAD", "OPTIONS"]],
  [one, ["GET", "PUT", "DELETE", "HEAD", "OPTIONS"]],
  [accountPath, ["GET", "HEAD", "OPTIONS"]],
] as const;

export const paths: Guarantees = {
  "a path that does not exist, also in other letters, gets a 404 that names it": async (caller) => {
    for (const path of unknownPaths) {
      const answer = await caller.get(`${path}?x=1`);
      expect([path, ...answer.refusal]).toEqual([path, 404, "not_found"]);
      if (/^\/docs\/errors\//.test(path)) continue;
      const shown = new URL(path, "http://a").pathname;
      expect(answer.problem.detail).toBe(
        `The path ${shown} does not exist. GET /openapi.json lists the paths that exist.`,
      );
    }
    expect((await caller.get(`/${websites}`)).refusal).toEqual([404, "not_found"]);
  },
  "an ID in any other form than its own gets the same answer as an ID that was never used": async (caller) => {
    await caller.createAll(["a.example"]);
    const headers = { "X-Request-Id": "same" };
    for (const method of ["GET", "PUT", "DELETE"]) {
      const expected = await caller.call(method, `${websites}/4711`, { headers });
      for (const id of badIds) {
        const answer = await caller.call(method, `${websites}/${id}`, { headers });
        expect([method, id, ...answer.refusal, answer.text]).toEqual([method, id, 404, "not_found", expected.text]);
      }
    }
    // These are not even paths.
    for (const id of ["%", "%zz"]) expect((await caller.get(`${websites}/${id}`)).refusal).toEqual([404, "not_found"]);
    expect((await caller.get(`${websites}/%31`)).website.id).toBe(1);
  },
  "a path may end in a slash": async (caller) => {
    await caller.createAll(["a.example"]);
    expect((await caller.get(`${websites}/`)).ids).toEqual([1]);
    expect((await caller.get(`${one}/`)).website.id).toBe(1);
  },
  "a method that a path does not have gets a 405 that lists those that it has, as OPTIONS does": async (caller) => {
    for (const [path, methods] of pathMethods) {
      const allow = methods.join(", ");
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
        if ((methods as readonly string[]).includes(method)) continue;
        const answer = await caller.call(method, path);
        expect([...answer.refusal, answer.header("Allow")]).toEqual([405, "method_not_allowed", allow]);
        expect(answer.problem.detail).toBe(`This path does not support ${method}. Use one of: ${allow}.`);
      }
      const options = await caller.call("OPTIONS", path);
      expect([options.status, options.text, options.header("Allow")]).toEqual([204, "", allow]);
    }
  },
  "HEAD answers as GET does, without a body": async (caller) => {
    await caller.createAll(["a.example"]);
    for (const [path, status] of [
      [one, 200],
      [websites, 200],
      [accountPath, 200],
      [`${websites}/9`, 404],
      ["/api/v1/nothing", 404],
    ] as const) {
      const [got, head] = [await caller.get(path), await caller.call("HEAD", path)];
      expect([path, got.status, head.status, head.text]).toEqual([path, status, status, ""]);
      for (const name of ["Content-Type", "Content-Length", "ETag"]) expect(head.header(name)).toBe(got.header(name));
    }
  },
  "a harmless request ID of the caller is kept, and any other is replaced": async (caller) => {
    const uuid = "0aefbc15-3447-48bc-ad7e-473215c1fa53";
    for (const id of ["a", uuid, "A.b:c~d_e-1", "my-id.1:~_", "x".repeat(128)]) {
      const answer = await caller.get(one, { "X-Request-Id": id });
      expect([answer.header("X-Request-Id"), answer.problem.request_id]).toEqual([id, id]);
    }
    for (const id of ["", "a b", "x".repeat(129), "a,b", "<script>", "é", "swk_a"]) {
      const answer = await caller.get(one, { "X-Request-Id": id });
      expect([id, answer.problem.request_id]).toEqual([id, expect.stringMatching(/^[\da-f-]{36}$/)]);
    }
  },
  "a problem says what it is, and links to the page of its code": async (caller) => {
    const answer = await caller.get(one);
    expect(answer.problem).toEqual({
      type: `${caller.account.baseUrl}/docs/errors/not_found`,
      title: "Not found",
      status: 404,
      detail: "No website has this ID.",
      code: "not_found",
      request_id: answer.header("X-Request-Id"),
    });
  },
  "no cache stores an answer": async (caller) => {
    for (const path of [accountPath, websites, one, "/api/v1/nothing"]) {
      for (const key of [caller.key, null]) {
        expect((await caller.call("GET", path, { key })).header("Cache-Control")).toBe("no-store");
      }
    }
  },
};
