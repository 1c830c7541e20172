import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { startPrefixProxy } from "./support/prefix-proxy.ts";

let server: BuiltServer;

beforeAll(async () => {
  server = await startBuiltServer();
});

afterAll(() => server[Symbol.asyncDispose]());

/** Each page, and how many files it has. */
const apps = [
  ["/console", 3],
  ["/docs", 4],
] as const;

describe.for(apps)("GET %s", ([path, count]) => {
  test("is not sent again to who has it, and its files are compressed and kept for a year", async () => {
    const page = await get(path);
    const tag = page.headers.get("ETag") ?? "";
    expect(page.headers.get("Cache-Control")).toBe("no-cache");
    for (const sent of [tag, tag.replace("W/", ""), `"other", ${tag}`, "*"]) {
      const again = await get(path, { "If-None-Match": sent });
      expect([again.status, again.headers.get("ETag"), again.text]).toEqual([304, tag, ""]);
    }
    expect((await get(path, { "If-None-Match": '"other"' })).status).toBe(200);
    const files = await readFilePaths(path);
    expect(files).toHaveLength(count);
    for (const name of files) {
      const file = await get(name);
      expect(file.headers.get("Content-Encoding")).toBe("gzip");
      expect(file.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      expect((await get(name, { "If-None-Match": file.headers.get("ETag") ?? "" })).status).toBe(304);
    }
  });

  test("has GET, HEAD and OPTIONS, and an unknown file is a 404", async () => {
    for (const name of [path, ...(await readFilePaths(path))]) {
      const head = await fetch(server.url + name, { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      const refused = await fetch(server.url + name, { method: "POST" });
      expect([refused.status, refused.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    }
    for (const name of ["/files/x/main.js", "/files", "/files/x/..%2f..%2fmain.js", "x"]) {
      const { status, headers } = await get(path + name);
      const type = headers.get("Content-Type");
      expect([name, status, type]).toEqual([name, 404, "application/problem+json; charset=utf-8"]);
    }
  });

  test("is there behind any prefix, with a slash at its end too", async () => {
    await using proxy = await startPrefixProxy(server.url);
    for (const url of [server.url, `${proxy.url}/siteward`]) {
      const led = await fetch(`${url}${path}/`);
      expect([led.url, await led.text()]).toEqual([`${url}${path}`, expect.stringContaining("</html>")]);
    }
  });
});

test("neither is there with SITEWARD_PAGES=off, and nothing leads to them", async () => {
  await using without = await startBuiltServer({ SITEWARD_PAGES: "off" });
  const files = (await Promise.all(apps.map(([path]) => readFilePaths(path)))).flat();
  const paths = ["/", ...apps.flatMap(([path]) => [path, `${path}/`]), ...files];
  const statuses = await Promise.all(
    paths.map(async (name) => (await fetch(without.url + name, { headers: browser })).status),
  );
  expect(statuses).toEqual(paths.map(() => 404));
  expect((await fetch(`${without.url}/docs/errors/not_found`)).status).toBe(200);
  expect((await fetch(`${without.url}/openapi.json`)).status).toBe(200);
});

test("the pages run only scripts and styles of the server, and every other page keeps its policy", async () => {
  const policies = await Promise.all(
    ["/console", "/docs", "/docs/errors", "/openapi.json"].map(async (path) => {
      const { headers } = await get(path);
      return headers.get("Content-Security-Policy");
    }),
  );
  const own =
    "default-src 'none';script-src 'self';style-src 'self';connect-src 'self';" +
    "base-uri 'none';frame-ancestors 'none';form-action 'none'";
  const other = "default-src 'none';style-src 'unsafe-inline';base-uri 'none';frame-ancestors 'none'";
  const console = `${own};img-src 'self';require-trusted-types-for 'script';trusted-types 'none'`;
  expect(policies).toEqual([console, `${own};img-src 'self' data:`, other, other]);
});

test("/ leads whoever accepts a page to the console, behind any prefix, and nobody else", async () => {
  await using proxy = await startPrefixProxy(server.url);
  for (const url of [server.url, `${proxy.url}/siteward`]) {
    expect((await fetch(`${url}/`, { headers: browser })).url).toBe(`${url}/console`);
  }
  for (const Accept of ["*/*", "text/*", "application/json;q=0.1, */*", browser.Accept]) {
    for (const method of ["GET", "HEAD"]) {
      const answer = await fetch(`${server.url}/`, { method, headers: { Accept }, redirect: "manual" });
      const text = method === "GET" ? "The pages are at console and docs.\n" : "";
      const seen = [answer.status, answer.headers.get("Location"), await answer.text()];
      expect([Accept, method, ...seen]).toEqual([Accept, method, 303, "console", text]);
    }
  }
  for (const Accept of ["application/json", "text/html;q=0", "text/plain"])
    expect([Accept, (await get("/", { Accept })).status]).toEqual([Accept, 404]);
  expect((await fetch(`${server.url}/`, { method: "POST", headers: browser })).status).toBe(404);
});

test("GET /docs shows a command by which an operator gets an API key", async () => {
  const [, command = ""] = /siteward-server (keys create [^<]*)</.exec((await get("/docs")).text) ?? [];
  await server.createAccount();
  expect(await server.operate(...command.split(" "))).toMatchObject({ key: expect.stringMatching(/^swk_/) });
});

/** Reads the answer to its end. A server that stops waits for those that are not read. */
async function get(path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(server.url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function readFilePaths(path: string): Promise<string[]> {
  const { text: html } = await get(path);
  return [...html.matchAll(/(?:src|href)="([a-z]+\/files\/[^"]+)"/g)].map(([, file]) => `/${file}`);
}

const browser = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
