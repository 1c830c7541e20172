import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Batches } from "./batches.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** Sends one change at a time, the first of which takes until `endFirst` is called. */
function startBatches() {
  const sent: string[] = [];
  const first = Promise.withResolvers<void>();
  const send = async (batch: readonly string[]) => {
    sent.push(...batch);
    await first.promise;
    return batch.map((value) => ({ status: "fulfilled", value }) as const);
  };
  return { batches: new Batches({ maxSize: 1, send }), sent, endFirst: first.resolve };
}

it("refuses changes that are not sent for five seconds, also those that came with the first one", async () => {
  const { batches, sent, endFirst } = startBatches();
  const results = Promise.allSettled(["sent", "waits", "waits too"].map((call) => batches.run(1, call)));
  await expect.poll(() => sent).toEqual(["sent"]);
  await vi.advanceTimersByTimeAsync(5_000);
  endFirst();
  const refused = { status: "rejected", reason: { code: "unavailable" } };
  expect(await results).toMatchObject([{ status: "fulfilled", value: "sent" }, refused, refused]);
  expect(sent).toEqual(["sent"]);
  expect(batches.size).toBe(0);
});

it("sends no batch if all that waited are refused right before it", async () => {
  const { batches, sent, endFirst } = startBatches();
  const first = batches.run(1, "sent");
  await expect.poll(() => sent).toEqual(["sent"]);
  const late = expect(batches.run(1, "late")).rejects.toMatchObject({ code: "unavailable" });
  endFirst();
  await first;
  // The next batch is cut two turns of the event loop later.
  await new Promise(process.nextTick);
  vi.advanceTimersByTime(5_000);
  await late;
  await batches.end(new Error("The storage is closed."));
  expect(sent).toEqual(["sent"]);
});
