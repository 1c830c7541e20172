import { apiKeySecretLength, formatApiKey } from "@siteward/contract/plain";
import { describe, expect, test } from "vitest";
import { InvalidArgumentError } from "../src/errors/siteward-error.ts";
import { Siteward } from "../src/siteward.ts";
import { json, serve } from "./support/serve.ts";

const apiKey = "swk_secret";

describe("new Siteward", () => {
  test.each([
    ["an empty key", { apiKey: "" }, /apiKey is missing/],
    ["a key with a line break", { apiKey: "swk_a\n" }, /apiKey must contain only visible ASCII/],
    ["a key that is not ASCII", { apiKey: "swk_ä" }, /apiKey must contain only visible ASCII/],
    ["a baseUrl that is not a URL", { apiKey, baseUrl: "siteward" }, /baseUrl must be a URL such as/],
    ["another URL scheme", { apiKey, baseUrl: "ftp://siteward.example" }, /baseUrl must be a URL such as/],
    ["a user name in the URL", { apiKey, baseUrl: "http://me:pass@siteward.example" }, /user name, password/],
    ["a query in the URL", { apiKey, baseUrl: "http://siteward.example?a=1" }, /query or fragment/],
    ["a timeout of 0", { apiKey, timeoutMs: 0 }, /timeoutMs must be/],
    ["a timeout that no timer accepts", { apiKey, timeoutMs: 2 ** 31 }, /timeoutMs must be/],
    ["half a retry", { apiKey, maxRetries: 0.5 }, /maxRetries must be/],
    ["a user agent with a line break", { apiKey, userAgent: "a\nb: c" }, /userAgent must contain only/],
  ])("refuses %s", (_name, options, message) => {
    expect(() => new Siteward(options)).toThrow(InvalidArgumentError);
    expect(() => new Siteward(options)).toThrow(message);
  });

  test("never shows a refused key in its message", () => {
    expect(() => new Siteward({ apiKey: "swk_secret " })).toThrow(expect.not.stringContaining("swk_secret"));
  });
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
