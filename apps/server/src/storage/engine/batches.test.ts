import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Batches } from "./batches.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

it("refuses changes that are not sent for five seconds, also those that came with the first one", async () => {
  const sent: string[] = [];
  const first = Promise.withResolvers<void>();
  const send = async (batch: readonly string[]) => {
    sent.push(...batch);
    await first.promise;
    return batch.map((value) => ({ status: "fulfilled", value }) as const);
  };
  const batches = new Batches({ maxSize: 1, send });
  const results = Promise.allSettled(["sent", "waits", "waits too"].map((call) => batches.run(1, call)));
  await expect.poll(() => sent).toEqual(["sent"]);
  await vi.advanceTimersByTimeAsync(5_000);
  first.resolve();
  expect(await results).toMatchObject([
    { status: "fulfilled", value: "sent" },
    { status: "rejected", reason: { code: "unavailable" } },
    { status: "rejected", reason: { code: "unavailable" } },
  ]);
  expect(sent).toEqual(["sent"]);
  expect(batches.size).toBe(0);
});

it("sends no batch if all that waited are refused right before it", async () => {
  const sizes: number[] = [];
  const first = Promise.withResolvers<void>();
  const send = async (batch: readonly string[]) => {
    sizes.push(batch.length);
    await first.promise;
    return batch.map((value) => ({ status: "fulfilled", value }) as const);
  };
  const batches = new Batches({ maxSize: 1, send });
  const sent = batches.run(1, "sent");
  await expect.poll(() => sizes).toEqual([1]);
  const late = expect(batches.run(1, "late")).rejects.toMatchObject({ code: "unavailable" });
  first.resolve();
  await sent;
  // The next batch is cut two turns of the event loop later.
  await new Promise(process.nextTick);
  vi.advanceTimersByTime(5_000);
  await late;
  await batches.end(new Error("The storage is closed."));
  expect(sizes).toEqual([1]);
});
