import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { Siteward } from "../../src/index.ts";
import { openFake } from "./support/open-fake.ts";

const websitesPath = "/api/v1/websites";

function openHttp() {
  const { fake } = openFake({ websites: [{ domain: "a.example" }] });
  const send = (path: string, init: RequestInit = {}, headers: Record<string, string> = {}) =>
    fake.fetch(`${fake.baseUrl}${path}`, { ...init, headers: { Authorization: `Bearer ${fake.apiKey}`, ...headers } });
  return { fake, send };
}

test("requests without the client cannot have a compressed body, which only the service reads", async () => {
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

test("requests without the client to another host fail as an unknown host does", async () => {
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

test("a program that creates its client from the environment reaches the fake through the global fetch", async () => {
  const { fake } = openFake({ websites: [{ domain: "a.example" }] });
  vi.stubGlobal("fetch", fake.fetch);
  vi.stubEnv("SITEWARD_BASE_URL", fake.baseUrl);
  vi.stubEnv("SITEWARD_API_KEY", fake.apiKey);
  onTestFinished(() => void vi.unstubAllGlobals().unstubAllEnvs());
  expect((await new Siteward().websites.get(1)).domain).toBe("a.example");
});

test("the recorded requests are the last 10,000", async () => {
  const { fake } = openFake();
  for (let index = 0; index <= 10_000; index += 1) await fake.fetch(`${fake.baseUrl}/${index}`);
  expect(fake.requests).toHaveLength(10_000);
  expect(fake.requests[0]?.path).toBe("/1");
});
