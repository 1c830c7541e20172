import { describe, expect, test } from "vitest";
import { createUuid } from "./create-uuid.ts";

const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("createUuid", () => {
  test.each([
    ["with crypto.randomUUID", globalThis.crypto],
    ["on a page without HTTPS, where crypto has no randomUUID", {}],
    ["in a runtime without crypto", undefined],
  ])("creates a different version 4 UUID each time %s", (_name, crypto) => {
    const uuids = Array.from({ length: 1_000 }, () => createUuid(crypto, Math.random));
    for (const uuid of uuids) expect(uuid).toMatch(version4);
    expect(new Set(uuids).size).toBe(1_000);
  });

  test("uses the random numbers in their entire range", () => {
    expect(createUuid(undefined, () => 0)).toBe("00000000-0000-4000-8000-000000000000");
    expect(createUuid(undefined, () => 1 - Number.EPSILON)).toBe("ffffffff-ffff-4fff-8fff-ffffffffffff");
  });
});
