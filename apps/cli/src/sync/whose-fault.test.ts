import { type ErrorCode, Siteward } from "@siteward/sdk";
import { createFakeSiteward } from "@siteward/sdk/testing";
import { expect, test } from "vitest";
import { whoseFault } from "./whose-fault.ts";

/** Returns whose fault it is if a create meets this failure. */
async function faultOf(failure: Parameters<ReturnType<typeof createFakeSiteward>["failNext"]>[0]): Promise<string> {
  const fake = createFakeSiteward();
  fake.failNext(failure);
  const siteward = new Siteward({ ...fake.clientOptions, maxRetries: 0 });
  return await siteward.websites.create({ domain: "a.example" }).then(() => "nobody", whoseFault);
}

const ofWebsites = ["validation_failed", "domain_taken", "not_found", "precondition_failed", "body_too_large"] as const;
const ofEveryone = ["website_limit_reached", "idempotency_in_progress", "change_limit_reached", "internal"] as const;

test.each([
  ...ofWebsites.map((code: ErrorCode) => ["website", { code }] as const),
  ...ofEveryone.map((code: ErrorCode) => ["everyone", { code }] as const),
  ["everyone", { networkError: true }] as const,
])(
  "a failure is that of the %s, since only this one or each other one would meet it too: %j",
  async (fault, failure) => {
    expect(await faultOf(failure)).toBe(fault);
  },
);
