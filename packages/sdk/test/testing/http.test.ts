import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { Siteward } from "../../src/index.ts";
import { openFake } from "./support/open-fake.ts";

const websitesPath = "/api/v1/websites";

function openHttp() {
  const { fake } = openFake({ websites: [{ domain: "a.example" }] });
  const send = (path: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
    fake.fetch(`${fake.baseUrl}${path}`, { ...init, headers: { Authorization: `Bearer ${fake.apiKey}`, ...headers } });
  return { fake, send };
}

describe("requests without the client", () => {
  test("read a form as well as JSON", async () => {
    const { fake, send } = openHttp();
    const body = new URLSearchParams([
      ["domain", "form.example"],
      ["email", "1"],
      ["exclude_params[]", "q"],
      ["exclude_params[]", "r"],
    ]);
    const response = await send(websitesPath, { method: "POST", body });
    expect(response.status).toBe(201);
    expect(response.headers.get("Location")).toBe(`${fake.baseUrl}${websitesPath}/2`);
    expect(fake.websites[1]).toMatchObject({ domain: "form.example", email: 1, exclude_params: ["q", "r"] });
  });

  test("get problem details for an unknown path, method, media type and broken body", async () => {
    const { send } = openHttp();
    const json = { "Content-Type": "application/json" };
    const problems = await Promise.all([
      send("/api/v1/nothing"),
      send(websitesPath, { method: "PATCH" }),
      send(websitesPath, { method: "POST", body: "x" }, { "Content-Type": "text/plain" }),
      send(websitesPath, { method: "POST", body: "{" }, json),
      send(websitesPath, { method: "POST", body: `{}${" ".repeat(65_536)}` }, json),
      send(`${websitesPath}?sort=up`),
    ]);
    expect(problems.map(({ status, headers }) => [status, headers.get("Content-Type")])).toEqual(
      [404, 405, 415, 400, 413, 422].map((status) => [status, "application/problem+json; charset=utf-8"]),
    );
    expect(problems[1]?.headers.get("Allow")).toBe("GET, POST, HEAD, OPTIONS");
    expect(problems[2]?.headers.get("Accept-Post")).toBe("application/x-www-form-urlencoded, application/json");
  });

  test("cannot have a compressed body, which only the service reads", async () => {
    const { fake, send } = openHttp();
    const headers = { "Content-Type": "application/json", "Content-Encoding": "gzip" };
    const response = await send(websitesPath, { method: "POST", body: gzipSync('{"domain":"b.example"}') }, headers);
    expect(response.status).toBe(415);
    expect(response.headers.get("Accept-Post")).toBe("application/x-www-form-urlencoded, application/json");
    expect(await response.json()).toMatchObject({
      code: "unsupported_media_type",
      detail: "The fake reads no compressed body, unlike the service. Send the body uncompressed in this test.",
    });
    expect(fake.websites).toHaveLength(1);
  });

  test("keep the request ID that they send, and get one otherwise", async () => {
    const { send } = openHttp();
    const kept = await send(websitesPath, {}, { "X-Request-Id": "my-id" });
    expect(kept.headers.get("X-Request-Id")).toBe("my-id");
    expect((await send(websitesPath)).headers.get("X-Request-Id")).toMatch(/^[\da-f-]{36}$/);
  });

  test("have the URL in the response, and no body for HEAD", async () => {
    const { fake, send } = openHttp();
    const response = await send(`${websitesPath}/1`, { method: "HEAD" });
    expect(response.url).toBe(`${fake.baseUrl}${websitesPath}/1`);
    expect(response.headers.get("ETag")).toBe('"1-1-1"');
    expect(await response.text()).toBe("");
  });

  test("to another host fail as an unknown host does", async () => {
    const { fake } = openHttp();
    const lost = new Siteward({ ...fake.clientOptions, baseUrl: "https://other.test", maxRetries: 0 });
    await expect(lost.account.get()).rejects.toMatchObject({
      code: "connection_failed",
      requestSent: false,
      message: expect.stringContaining(
        "the fake answers only requests to https://siteward.test, not to https://other.test",
      ),
    });
  });
});

test("a program that creates its client from the environment reaches the fake through the global fetch", async () => {
  const { fake } = openFake({ websites: [{ domain: "a.example" }] });
  vi.stubGlobal("fetch", fake.fetch);
  vi.stubEnv("SITEWARD_BASE_URL", fake.baseUrl);
  vi.stubEnv("SITEWARD_API_KEY", fake.apiKey);
  try {
    expect((await new Siteward().websites.get(1)).domain).toBe("a.example");
  } finally {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  }
});

describe("the recorded requests", () => {
  test("contain what was sent, in order, with the status of the answer", async () => {
    const { fake, siteward } = openFake();
    await siteward.websites.create({ domain: "a.example" });
    await siteward.websites.list({ sort: "asc" });
    await siteward.websites.get(7).catch(() => {});
    expect(fake.requests).toMatchObject([
      { method: "POST", path: websitesPath, query: {}, body: { domain: "a.example" }, status: 201 },
      { method: "GET", path: websitesPath, query: { sort: "asc" }, body: undefined, status: 200 },
      { method: "GET", path: `${websitesPath}/7`, status: 404, headers: { authorization: `Bearer ${fake.apiKey}` } },
    ]);
  });

  test("are the last 10,000", async () => {
    const { fake } = openFake();
    for (let index = 0; index <= 10_000; index += 1) await fake.fetch(`${fake.baseUrl}/${index}`);
    expect(fake.requests).toHaveLength(10_000);
    expect(fake.requests[0]?.path).toBe("/1");
  });
});
