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

describe("an idempotency key", () => {
  it("is refused while a request with it is answered, in its account only, and may be sent again after", () => {
    const running = new RunningRequests();
    const ends: (() => void)[] = [];
    const send = (accountId: number, body: object = fields) =>
      admit(toRequest({ accountId, body, onEnd: (end) => ends.push(end) }), route, running);
    void send(1);
    expect(() => send(1)).toThrow("An earlier request with this idempotency key is still being answered.");
    expect(() => send(1, { domain: "b.example" })).toThrow("This idempotency key was first sent with another request.");
    void send(2);
    for (const end of ends) end();
    expect(() => send(1)).not.toThrow();
  });
});

interface Sent {
  readonly method?: string;
  readonly url?: string;
  readonly body?: object;
  readonly accountId?: number;
  readonly onEnd?: (end: () => void) => void;
}

async function fingerprintOf(sent: Sent): Promise<string | undefined> {
  const { idempotency }: Admitted = await admit(toRequest(sent), route, new RunningRequests());
  return idempotency?.fingerprint;
}

const scopes: readonly Scope[] = ["websites:write"];

function toRequest({ method = "POST", url = route.path, body = fields, accountId = 1, onEnd }: Sent): ReceivedRequest {
  return {
    method,
    url,
    headers: { "idempotency-key": "k" },
    principal: { accountId, scopes },
    receiveBody: () => body,
    toFingerprint: ({ text, isSecret }) => `${isSecret ? "secret" : "open"} ${text}`,
    onEnd: onEnd ?? (() => undefined),
  };
}
