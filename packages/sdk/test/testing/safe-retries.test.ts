import { describe, expect, test } from "vitest";
import { isApiError } from "../../src/index.ts";
import { openFake } from "./support/open-fake.ts";

const now = new Date("2026-01-01");
const idempotencyKey = "my-key";

describe("an idempotency key", () => {
  test("creates one website, and each repetition gets the same answer for 24 hours", async () => {
    const { fake, siteward } = openFake({ now });
    const create = () => siteward.websites.create({ domain: "a.example" }, { idempotencyKey }).withResponse();
    const first = await create();
    await siteward.websites.update(1, { email: 1 });
    fake.clock.advance(24 * 3_600_000 - 1);
    const repeated = await create();
    expect(repeated.data).toEqual(first.data);
    expect(repeated.response.headers.get("Idempotency-Replayed")).toBe("true");
    fake.clock.advance(1);
    await expect(create()).rejects.toMatchObject({ code: "domain_taken" });
    expect(fake.websites).toHaveLength(1);
  });

  test("keeps a refusal too", async () => {
    const { siteward } = openFake({ websites: [{ domain: "a.example" }] });
    const create = () => siteward.websites.create({ domain: "a.example" }, { idempotencyKey });
    await expect(create()).rejects.toMatchObject({ code: "domain_taken" });
    await siteward.websites.delete(1);
    const error: unknown = await create().catch((thrown: unknown) => thrown);
    expect(isApiError(error, "domain_taken") && error.headers.get("Idempotency-Replayed")).toBe("true");
  });

  test("with another request is refused", async () => {
    const { siteward } = openFake();
    await siteward.websites.create({ domain: "a.example" }, { idempotencyKey });
    const reused = siteward.websites.create({ domain: "b.example" }, { idempotencyKey });
    await expect(reused).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });

  test("is in progress until its first request is answered or given up", async () => {
    const { fake, siteward } = openFake();
    const create = (signal?: AbortSignal) =>
      siteward.websites.create({ domain: "a.example" }, { idempotencyKey, signal });
    const givesUp = new AbortController();
    fake.delayNext({ delayMs: Number.POSITIVE_INFINITY, when: "after" });
    const first = create(givesUp.signal);
    first.catch(() => {});
    await expect.poll(() => fake.websites.length).toBe(1);
    await expect(create()).rejects.toMatchObject({ code: "idempotency_in_progress" });
    givesUp.abort();
    await expect(first).rejects.toMatchObject({ code: "aborted" });
    expect(await create()).toMatchObject({ id: 1 });
  });
});

describe("an entity tag", () => {
  test("lets an update and a delete happen only if nobody changed the website since", async () => {
    const { siteward } = openFake({ websites: [{ domain: "a.example" }] });
    const { response } = await siteward.websites.get(1).withResponse();
    const { etag: ifMatch } = response;
    await siteward.websites.update(1, { email: 1 }, { ifMatch });
    const late = { code: "precondition_failed", detail: expect.stringContaining("The record has changed") };
    await expect(siteward.websites.update(1, { email: 0 }, { ifMatch })).rejects.toMatchObject(late);
    await expect(siteward.websites.delete(1, { ifMatch })).rejects.toMatchObject(late);
    await siteward.websites.delete(1, { ifMatch: "*" });
  });

  test("answers a read with 304 as long as nothing has changed", async () => {
    const { siteward } = openFake({ websites: [{ domain: "a.example" }] });
    for (const read of [
      (headers?: Record<string, string>) => siteward.websites.get(1, { headers }),
      (headers?: Record<string, string>) => siteward.websites.list({}, { headers }),
      (headers?: Record<string, string>) => siteward.account.get({ headers }),
    ]) {
      const { response } = await read().withResponse();
      await expect(read({ "If-None-Match": response.etag ?? "" })).rejects.toMatchObject({ status: 304 });
    }
  });
});
