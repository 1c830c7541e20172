import { apiKeySecretLength, formatApiKey } from "@siteward/contract/plain";
import { describe, expect, test } from "vitest";
import { Siteward } from "../src/siteward.ts";
import { apiKey } from "./support/keys.ts";

test.each([
  ["of another kind", "nope"],
  ["that is cut", apiKey.slice(0, -1)],
  ["with two letters exchanged", apiKey.replace("secret", "sercet")],
  ["in quotation marks", `"${apiKey}"`],
  ["with what stands before it", `Bearer ${apiKey}`],
  ["with a space at its end", `${apiKey} `],
])("a key %s is refused as mistyped before anything is sent, and is not in the message", (_what, wrong) => {
  const requests: string[] = [];
  const create = () => new Siteward({ apiKey: wrong, fetch: async (url) => Response.json(requests.push(url)) });
  expect(create).toThrow(/^apiKey must be an entire API key .*; this one is mistyped\.$/);
  expect(create).toThrow(expect.not.stringContaining(wrong));
  expect(requests).toEqual([]);
});

describe("keyPrefix", () => {
  test("is what an operator sees of the key", () => {
    const key = formatApiKey("0123456789".repeat(4).slice(0, apiKeySecretLength));
    expect(new Siteward({ apiKey: key }).keyPrefix).toBe("swk_01234567");
  });
});
