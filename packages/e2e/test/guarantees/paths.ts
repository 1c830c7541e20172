import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const one = `${websites}/1`;
const account = "/api/v1/account";

export const paths: Guarantees = {
  "a path that does not exist gets a 404 that names it": async (service) => {
    const caller = new Caller(service);
    for (const path of ["/api/v1/nothing", "/api/v1", "/api/v1/Websites", `${one}/2`, "/api/v2/websites"]) {
      const answer = await caller.call("GET", `${path}?x=1`);
      expect([...answer.refusal, answer.problem.detail]).toEqual([
        ...[404, "not_found"],
        `The path ${path} does not exist. GET /openapi.json lists the paths that exist.`,
      ]);
    }
  },
  "a path may end in a slash": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example"]);
    expect((await caller.call("GET", `${websites}/`)).ids).toEqual([1]);
    expect((await caller.call("GET", `${one}/`)).website.id).toBe(1);
  },
  "a method that a path does not have gets a 405 that lists those that it has": async (service) => {
    const caller = new Caller(service);
    for (const [path, allow] of [
      [websites, "GET, POST, HEAD, OPTIONS"],
      [one, "GET, PUT, DELETE, HEAD, OPTIONS"],
      [account, "GET, HEAD, OPTIONS"],
    ] as const) {
      const answer = await caller.call("PATCH", path);
      expect([...answer.refusal, answer.header("Allow")]).toEqual([405, "method_not_allowed", allow]);
      expect(answer.problem.detail).toBe(`This path does not support PATCH. Use one of: ${allow}.`);
      const options = await caller.call("OPTIONS", path);
      expect([options.status, options.text, options.header("Allow")]).toEqual([204, "", allow]);
    }
  },
  "HEAD answers as GET does, without a body": async (service) => {
    const caller = new Caller(service);
    await caller.createAll(["a.example"]);
    for (const path of [one, websites, account, `${websites}/9`, "/api/v1/nothing"]) {
      const [got, head] = [await caller.call("GET", path), await caller.call("HEAD", path)];
      expect([head.status, head.text, head.header("ETag")]).toEqual([got.status, "", got.header("ETag")]);
      expect(head.header("Content-Type")).toBe(got.header("Content-Type"));
    }
  },
  "a harmless request ID of the caller is kept, and any other is replaced": async (service) => {
    const caller = new Caller(service);
    for (const [id, isKept] of [
      ["my-id.1:~_", true],
      ["x".repeat(128), true],
      ["x".repeat(129), false],
      ["a b", false],
      ["<script>", false],
      ["swk_x", false],
    ] as const) {
      const answer = await caller.call("GET", one, { headers: { "X-Request-Id": id } });
      expect([answer.header("X-Request-Id") === id, answer.problem.request_id === id]).toEqual([isKept, isKept]);
    }
  },
  "a query whose percent-encoding is broken gets a 400": async (service) => {
    const answer = await new Caller(service).call("GET", `${websites}?search=%ff`);
    expect([...answer.refusal, answer.problem.detail]).toEqual([
      ...[400, "malformed_request"],
      "The query string could not be read: its percent-encoding is invalid or does not decode to UTF-8. Encode it as UTF-8.",
    ]);
  },
  "a problem says what it is, and links to the page of its code": async (service) => {
    const caller = new Caller(service);
    const answer = await caller.call("GET", one);
    expect(answer.problem).toEqual({
      type: `${caller.account.baseUrl}/docs/errors/not_found`,
      title: "Not found",
      status: 404,
      detail: "No website has this ID.",
      code: "not_found",
      request_id: answer.header("X-Request-Id"),
    });
    expect(answer.header("Cache-Control")).toBe("no-store");
  },
};
