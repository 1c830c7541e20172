import { errorCodes } from "@siteward/contract";
import { expect } from "vitest";
import { websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

const pagePaths = ["/healthz", "/readyz", "/openapi.json", "/docs", "/docs/errors", "/docs/errors/not_found"];
const allowed = ["GET", "HEAD", "OPTIONS"];

export const pages: Guarantees = {
  "every error code has a page with its status and title, which an index lists": async (caller) => {
    const index = await caller.call("GET", "/docs/errors", { key: null });
    for (const [code, { status, title }] of Object.entries(errorCodes)) {
      const answer = await caller.call("GET", `/docs/errors/${code}`, { key: null });
      expect([answer.status, answer.header("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
      for (const text of [code, `HTTP status ${status}`, title]) expect(answer.text).toContain(text);
      expect(index.text).toContain(`<code>${code}</code>`);
    }
  },
  "the OpenAPI document is served without a key, and entire to every request": async (caller) => {
    for (const headers of [{}, { Range: "bytes=99999999-" }, { Range: "bytes=0-4" }, { "If-Match": '"x"' }]) {
      const answer = await caller.call("GET", "/openapi.json", { key: null, headers });
      expect([answer.status, answer.header("Content-Type")]).toEqual([200, "application/json; charset=utf-8"]);
      const document = JSON.parse(answer.text);
      expect(document.openapi).toMatch(/^3\.1\./);
      expect(Object.keys(document.paths).sort()).toEqual([
        "/api/v1/account",
        "/api/v1/websites",
        "/api/v1/websites/{id}",
      ]);
    }
  },
  "nothing in a response may run, be framed or be taken for another type": async (caller) => {
    for (const path of ["/docs", "/docs/errors", websites, "/nothing"]) {
      const answer = await caller.get(path);
      expect(answer.header("Content-Security-Policy")).toMatch(/^default-src 'none'/);
      expect(answer.header("X-Content-Type-Options")).toBe("nosniff");
      expect(answer.header("X-Powered-By")).toBeNull();
    }
  },
  "a page has GET, HEAD and OPTIONS, and refuses every other method": async (caller) => {
    for (const path of pagePaths) {
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
        const answer = await caller.call(method, path);
        expect([method, path, ...answer.refusal]).toEqual([method, path, 405, "method_not_allowed"]);
        expect(answer.header("Allow")?.split(", ").sort()).toEqual(allowed);
      }
      const options = await caller.call("OPTIONS", path);
      expect([options.status, options.text, options.header("Allow")?.split(", ").sort()]).toEqual([204, "", allowed]);
      const [got, head] = [await caller.get(path), await caller.call("HEAD", path)];
      expect([got.status, head.status, head.text]).toEqual([200, 200, ""]);
      for (const name of ["Content-Type", "Content-Length", "ETag"]) expect(head.header(name)).toBe(got.header(name));
    }
  },
  "a page may end in a slash": async (caller) => {
    for (const path of pagePaths) {
      // A browser is led from `/docs/` to `/docs`, because the links of that page are relative.
      if (path === "/docs") continue;
      const [without, slash] = [await caller.get(path), await caller.get(`${path}/`)];
      expect([slash.status, slash.header("ETag"), slash.text]).toEqual([200, without.header("ETag"), without.text]);
    }
  },
  "a condition of a page is ignored, except for If-None-Match: *": async (caller) => {
    for (const path of ["/openapi.json", "/docs/errors", "/healthz"]) {
      expect((await caller.get(path, { "If-None-Match": "nonsense" })).status).toBe(200);
      expect((await caller.get(path, { "If-Match": '"1"' })).status).toBe(200);
      expect((await caller.get(path, { "If-None-Match": "*" })).status).toBe(304);
    }
  },
  "a page does not count for the limit of a key": async (caller) => {
    const key = caller.account.createApiKey({ rateLimit: 1 });
    for (const [path, status] of [
      ["/healthz", 200],
      ["/readyz", 200],
      ["/openapi.json", 200],
      ["/unknown", 404],
      ["/unknown", 404],
      [websites, 200],
    ] as const) {
      const answer = await caller.call("GET", path, { key });
      const isLimited = path === websites;
      expect([path, answer.status, answer.header("RateLimit") !== null]).toEqual([path, status, isLimited]);
      expect(answer.header("RateLimit-Policy") !== null).toBe(isLimited);
    }
  },
};
