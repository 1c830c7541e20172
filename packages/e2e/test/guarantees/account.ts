import { expect } from "vitest";
import { accountPath, Caller } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";

export const account: Guarantees = {
  "the account has exactly the documented fields, with the key of the request but not its secret": async (service) => {
    const caller = new Caller(service);
    const answer = await caller.get(accountPath);
    const now = new Date(service.nowMs()).toISOString();
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({
      data: {
        id: caller.account.id,
        name: "Test",
        email: "test@example.com",
        websites: { count: 0, limit: null },
        created_at: now,
        updated_at: now,
        api_key: {
          name: "test",
          prefix: caller.key.slice(0, 12),
          scopes: ["websites:read", "websites:write", "account:read"],
          created_at: now,
          expires_at: null,
          last_used_at: null,
        },
      },
    });
    expect(answer.text).not.toContain(caller.key);
  },
  "the account has its own counts and limit, and the scopes and the expiry of the key": async (service) => {
    const [caller, other] = [new Caller(service, { websiteLimit: 7 }), new Caller(service)];
    await caller.createAll(["a.example", "b.example"]);
    const key = caller.account.createApiKey({ scopes: ["account:read"], expiresInMs: 60_000 });
    const { id, websites: counts, api_key } = (await caller.call("GET", accountPath, { key })).account;
    expect(id).toBe(caller.account.id);
    expect(counts).toEqual({ count: 2, limit: 7 });
    expect(api_key).toMatchObject({
      prefix: key.slice(0, 12),
      scopes: ["account:read"],
      created_at: new Date(service.nowMs()).toISOString(),
      expires_at: new Date(service.nowMs() + 60_000).toISOString(),
    });
    expect((await other.get(accountPath)).account).toMatchObject({
      id: other.account.id,
      websites: { count: 0, limit: null },
    });
  },
};
