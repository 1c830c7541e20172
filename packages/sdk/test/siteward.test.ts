import { apiKeySecretLength, formatApiKey } from "@siteward/contract/plain";
import { describe, expect, test } from "vitest";
import { Siteward } from "../src/siteward.ts";
import { json, serve } from "./support/serve.ts";

test("a refused key is not in the message", () => {
  expect(() => new Siteward({ apiKey: "swk_secret " })).toThrow(expect.not.stringContaining("swk_secret"));
});

describe("keyPrefix", () => {
  test("is what an operator sees of the key", () => {
    const key = formatApiKey("0123456789".repeat(4).slice(0, apiKeySecretLength));
    expect(new Siteward({ apiKey: key }).keyPrefix).toBe("swk_01234567");
  });

  test.each(["swk_0123456789", "token-of-a-proxy-that-has-the-length-of-a-key"])("is undefined for %s", (key) => {
    expect(new Siteward({ apiKey: key }).keyPrefix).toBeUndefined();
  });
});

describe("a call", () => {
  test("returns the response unchanged even if it contains a short placeholder for a key", async () => {
    await using server = await serve(json(200, { data: { id: 1 } }, { etag: '"1"' }));
    const { data, response } = await new Siteward({ apiKey: "1", baseUrl: server.baseUrl }).account
      .get()
      .withResponse();
    expect([data.id, response.etag]).toEqual([1, '"1"']);
  });
});
