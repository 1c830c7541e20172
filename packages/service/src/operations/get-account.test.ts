import { expect, it } from "vitest";
import { MemoryStorage } from "../memory-storage.ts";
import { getAccount } from "./get-account.ts";
import type { Principal } from "./operation.ts";

it("The entity tag of an account changes with all that is read of its API key, but the time of its last use", async () => {
  const storage = new MemoryStorage({ name: "A", email: "a@a.example", websiteLimit: null }, () => 0);
  const key = { id: 1, accountId: 1, name: "Ü 例", prefix: "swk_Ab3dEf9h", scopes: ["websites:read"] } as const;
  const at = new Date(0);
  const principal: Principal = { ...key, createdAt: at, expiresAt: null, lastUsedAt: null };
  const tagOf = async (changed: Partial<Principal>) => {
    const call = { principal: { ...principal, ...changed }, conditions: undefined };
    // The casts are safe: the operation uses nothing else.
    const { headers } = await getAccount(call as never, { storage } as never);
    return headers?.["ETag"];
  };
  const changes: Partial<Principal>[] = [
    {},
    { name: "Other" },
    { prefix: "swk_aaaaaaaa" },
    { scopes: ["websites:read", "websites:write"] },
    { expiresAt: at },
  ];
  const tags = await Promise.all(changes.map(tagOf));
  expect(new Set(tags).size).toBe(changes.length);
  for (const tag of tags) expect(tag).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
  expect(await tagOf({ lastUsedAt: at })).toBe(tags[0]);
});
