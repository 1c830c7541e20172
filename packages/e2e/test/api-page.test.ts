import { startProxy } from "@siteward/testing/proxy";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";

let server: BuiltServer;

beforeAll(async () => {
  server = await startBuiltServer();
});

afterAll(() => server[Symbol.asyncDispose]());

describe("GET /docs", () => {
  test("runs only scripts and styles of the server, and every other page keeps its policy", async () => {
    const policies = await Promise.all(
      ["/docs", "/docs/errors", "/openapi.json"].map(async (path) => {
        const { headers } = await get(path);
        return headers.get("Content-Security-Policy");
      }),
    );
    const other = "default-src 'none';style-src 'unsafe-inline';base-uri 'none';frame-ancestors 'none'";
    expect(policies).toEqual([
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';" +
        "base-uri 'none';frame-ancestors 'none';form-action 'none'",
      other,
      other,
    ]);
  });

  test("is not sent again to who has it, and its files are kept for a year, compressed for who accepts that", async () => {
    const page = await get("/docs");
    const tag = page.headers.get("ETag") ?? "";
    expect(page.headers.get("Cache-Control")).toBe("no-cache");
    for (const sent of [tag, tag.replace("W/", ""), `"other", ${tag}`, "*"]) {
      const again = await get("/docs", { "If-None-Match": sent });
      expect([again.status, again.headers.get("ETag"), again.text]).toEqual([304, tag, ""]);
    }
    expect((await get("/docs", { "If-None-Match": '"other"' })).status).toBe(200);
    const paths = await readFilePaths();
    expect(paths).toHaveLength(4);
    for (const path of paths) {
      const [plain, refused, compressed] = [
        await get(path, { "Accept-Encoding": "identity" }),
        await get(path, { "Accept-Encoding": "gzip;q=0" }),
        await get(path, { "Accept-Encoding": "br, gzip" }),
      ];
      const encodings = [plain, refused, compressed].map(({ headers }) => headers.get("Content-Encoding"));
      expect(encodings).toEqual([null, null, "gzip"]);
      // `fetch` decompresses it.
      expect([refused.text, compressed.text]).toEqual([plain.text, plain.text]);
      expect(plain.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      expect(plain.headers.get("Vary")).toBe("Accept-Encoding");
      expect((await get(path, { "If-None-Match": plain.headers.get("ETag") ?? "" })).status).toBe(304);
    }
  });

  test("has GET, HEAD and OPTIONS, and an unknown file is a 404", async () => {
    for (const path of ["/docs", ...(await readFilePaths())]) {
      const head = await fetch(server.url + path, { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      const refused = await fetch(server.url + path, { method: "POST" });
      expect([refused.status, refused.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    }
    for (const path of ["/docs/files/x/start.js", "/docs/files", "/docs/files/x/..%2f..%2fmain.js", "/Docs"]) {
      const { status, headers } = await get(path);
      const type = headers.get("Content-Type");
      expect([path, status, type]).toEqual([path, 404, "application/problem+json; charset=utf-8"]);
    }
  });

  test("is where / leads a browser, behind any prefix, and nobody else", async () => {
    const browser = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
    // As behind a proxy that has other services, too.
    await using proxy = await startProxy(server.url, () => ({
      sent: (bytes) => Buffer.from(bytes.toString("latin1").replace(/^GET \/siteward\//, "GET /"), "latin1"),
    }));
    for (const url of [server.url, `${proxy.url}/siteward`]) {
      const led = await fetch(`${url}/`, { headers: browser });
      expect([led.url, led.status, await led.text()]).toEqual([`${url}/docs`, 200, expect.stringContaining("<h1>")]);
      const other = await fetch(`${url}/docs/`);
      expect([other.url, await other.text()]).toEqual([`${url}/docs`, expect.stringContaining("<h1>")]);
    }
    const others = [undefined, "*/*", "application/json", "text/html;q=0", "text/*"];
    for (const accepted of others) {
      const { status } = await get("/", accepted === undefined ? {} : { Accept: accepted });
      expect([accepted, status]).toEqual([accepted, 404]);
    }
    expect((await fetch(`${server.url}/`, { method: "POST", headers: browser })).status).toBe(404);
  });

  test("shows a command by which an operator gets an API key", async () => {
    const [, command = ""] = /siteward-server (keys create [^<]*)</.exec((await get("/docs")).text) ?? [];
    await server.createAccount();
    expect(await server.operate(...command.split(" "))).toMatchObject({ key: expect.stringMatching(/^swk_/) });
  });
});

/** Reads the answer to its end. A server that stops waits for those that are not read. */
async function get(path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(server.url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function readFilePaths(): Promise<string[]> {
  const { text: html } = await get("/docs");
  return [...html.matchAll(/(?:src|href)="(docs\/files\/[^"]+)"/g)].map(([, path]) => `/${path}`);
}
