import { Siteward } from "@siteward/sdk";
import { createFakeSiteward } from "@siteward/sdk/testing";
import { expect, test } from "vitest";
import { CliError } from "../process/cli-error.ts";
import { whoseFault } from "./whose-fault.ts";

type Failure = Parameters<ReturnType<typeof createFakeSiteward>["failNext"]>[0];

/** Returns what a create throws if it meets this failure. */
async function errorOf(failure: Failure): Promise<unknown> {
  const fake = createFakeSiteward();
  fake.failNext(failure);
  return await new Siteward({ ...fake.clientOptions, maxRetries: 0 }).websites.create({ domain: "a.example" }).then(
    () => undefined,
    (error: unknown) => error,
  );
}

test.each(["validation_failed", "domain_taken", "not_found", "precondition_failed", "body_too_large"] as const)(
  "%s is the fault of one website",
  async (code) => {
    expect(whoseFault(await errorOf({ code }))).toBe("website");
  },
);

test.each([
  "unauthenticated",
  "insufficient_scope",
  "website_limit_reached",
  "idempotency_in_progress",
  "rate_limited",
  "change_limit_reached",
  "internal",
  "unavailable",
] as const)("%s is everyone's: each other website would meet it too", async (code) => {
  expect(whoseFault(await errorOf({ code }))).toBe("everyone");
});

test("a lost connection, and what nobody knows, are everyone's", async () => {
  expect(whoseFault(await errorOf({ networkError: true }))).toBe("everyone");
  expect(whoseFault(new Error("What is this?"))).toBe("everyone");
});

test("of the CLI's own errors, only a website that somebody else changed is one website's", () => {
  expect(whoseFault(new CliError("changed_meanwhile", "a.example was changed."))).toBe("website");
  expect(whoseFault(new CliError("entity_tag_missing", "The response has no entity tag."))).toBe("everyone");
});
