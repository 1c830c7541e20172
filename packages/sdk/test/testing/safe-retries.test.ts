import { describe, expect, test } from "vitest";
import { openFake } from "./support/open-fake.ts";

const idempotencyKey = "my-key";

describe("an idempotency key", () => {
  test("is in progress until its first request is answered or given up", async () => {
    const { fake, siteward } = openFake();
    const create = (signal?: AbortSignal) =>
      siteward.websites.create({ domain: "a.example" }, { idempotencyKey, signal });
    const givesUp = new AbortController();
    fake.failNext({ delayMs: Number.POSITIVE_INFINITY, when: "after" });
    const first = create(givesUp.signal);
    first.catch(() => {});
    await expect.poll(() => fake.websites.length).toBe(1);
    await expect(create()).rejects.toMatchObject({ code: "idempotency_in_progress" });
    givesUp.abort();
    await expect(first).rejects.toMatchObject({ code: "aborted" });
    expect(await create()).toMatchObject({ id: 1 });
  });
});
