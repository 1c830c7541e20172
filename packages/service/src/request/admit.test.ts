import { routes, type Scope } from "@siteward/contract";
import { describe, expect, it } from "vitest";
import { type Admitted, admit, type ReceivedRequest } from "./admit.ts";
import { RunningRequests } from "./running-requests.ts";

const route = routes.websites.create;
const fields = { domain: "a.example", privacy: 2, password: "correct horse" };

describe("what a request says", () => {
  it("is the same for the same fields in another order", async () => {
    const reversed = Object.fromEntries(Object.entries(fields).toReversed());
    expect(await fingerprintOf({ body: reversed })).toBe(await fingerprintOf({ body: fields }));
  });

  it.each([
    ["another path", { url: "/api/v1/others" }],
    ["another query", { url: `${route.path}?dry_run=1` }],
    ["another method", { method: "PUT" }],
    ["another value", { body: { ...fields, privacy: 1 } }],
    ["a value under another name", { body: { ...fields, domain: undefined, email: fields.domain } }],
    ["the list of two values instead of one", { body: { ...fields, domain: ["a", "example"] } }],
  ])("differs with %s", async (_name, sent) => {
    expect(await fingerprintOf(sent)).not.toBe(await fingerprintOf({}));
  });

  it("tells the door whether a field is secret", async () => {
    expect(await fingerprintOf({})).toMatch(/^secret /);
    expect(await fingerprintOf({ body: { domain: "a.example" } })).toMatch(/^open /);
  });
});

interface Sent {
  readonly method?: string;
  readonly url?: string;
  readonly body?: object;
}

async function fingerprintOf(sent: Sent): Promise<string | undefined> {
  const { idempotency }: Admitted = await admit(toRequest(sent), route, new RunningRequests());
  return idempotency?.fingerprint;
}

const scopes: readonly Scope[] = ["websites:write"];

function toRequest({ method = "POST", url = route.path, body = fields }: Sent): ReceivedRequest {
  return {
    method,
    url,
    headers: { "idempotency-key": "k" },
    principal: { accountId: 1, scopes },
    receiveBody: () => body,
    toFingerprint: ({ text, isSecret }) => `${isSecret ? "secret" : "open"} ${text}`,
    onEnd: () => undefined,
  };
}
