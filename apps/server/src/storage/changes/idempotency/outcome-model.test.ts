import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { describeOnEveryDatabase } from "../../../../test/support/engines.ts";
import { openMemory } from "../../../../test/support/storage/open-memory.ts";
import { createTestAccount, newWebsite } from "../../../../test/support/storage/open-test-storage.ts";
import { openTwice } from "../../../../test/support/storage/open-twice.ts";
import { runOperation, type WebsiteOperation } from "../../../../test/support/storage/run-operation.ts";

interface Answered {
  readonly operation: WebsiteOperation;
  readonly answer: unknown;
}

const now = () => 1_700_000_000_000;
const limit = 3;
const all = { sortBy: "id", sort: "asc", perPage: 10, start: { page: 1 } } as const;
const creates = fc
  .record({
    key: fc.constantFrom(undefined, "a", "b", "c", "d", "e"),
    domain: fc.constantFrom("1.example", "2.example", "3.example", "4.example"),
  })
  .map(({ key, domain }): WebsiteOperation => {
    const idempotency = key === undefined ? {} : { idempotency: { key, fingerprint: domain } };
    return { kind: "create", website: newWebsite(domain), ...idempotency };
  });
const oneOrMany = fc.oneof(
  fc.array(creates, { maxLength: 1 }),
  fc.array(creates, { minLength: 2, maxLength: 12, size: "max" }),
);
/** What is sent at once. A website is deleted if there are as many. In longer sequences, all keys are used already. */
const steps = fc.array(fc.record({ creates: oneOrMany, deleteIndex: fc.nat(2 * limit) }), {
  minLength: 1,
  maxLength: 12,
  size: "max",
});

describeOnEveryDatabase("creates with idempotency keys", (engine) => {
  it("have the answers of memory in some order: each key has one outcome, at once and later", async () => {
    await using storage = await openTwice(engine, { now });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const accountId = await createTestAccount(storage, limit);
        let order: readonly WebsiteOperation[] = [];
        for (const { creates, deleteIndex } of sequence) {
          const id = (await storage.websites.list(accountId, all)).websites[deleteIndex]?.id;
          const sent: WebsiteOperation[] = id === undefined ? creates : [{ kind: "delete", id }, ...creates];
          const send = async (operation: WebsiteOperation, index: number): Promise<Answered> => {
            return { operation, answer: await runOperation(storage.either(index), accountId, operation) };
          };
          const answered = await Promise.all(sent.map(send));
          const found = await findOrder(order, answered);
          if (found === undefined) expect.fail(`Memory has these answers in no order: ${JSON.stringify(answered)}`);
          order = found;
          const list = await storage.websites.list(accountId, all);
          expect(list).toEqual(await answerInMemory(order, { kind: "list", request: all }));
          expect((await storage.accounts.get(accountId))?.websites.count).toBe(list.total);
        }
      }),
      { numRuns: 120 },
    );
    expect(await storage.findFaults()).toEqual([]);
  });
});

/** Finds an order of operations that were sent at once, after others, in which memory has the same answers. */
async function findOrder(
  earlier: readonly WebsiteOperation[],
  answered: readonly Answered[],
): Promise<readonly WebsiteOperation[] | undefined> {
  if (answered.length === 0) return earlier;
  for (const [index, { operation, answer }] of answered.entries()) {
    if (!isDeepStrictEqual(await answerInMemory(earlier, operation), answer)) continue;
    const order = await findOrder([...earlier, operation], answered.toSpliced(index, 1));
    // What creates and deletes nothing has its place as soon as it has its answer. So there are few orders to try.
    if (order !== undefined || !changesWebsites(answer)) return order;
  }
  return undefined;
}

function changesWebsites(answer: unknown): boolean {
  return answer === true || (typeof answer === "object" && answer !== null && "isReplay" in answer && !answer.isReplay);
}

/** Returns what memory answers to an operation after others. */
async function answerInMemory(earlier: readonly WebsiteOperation[], operation: WebsiteOperation): Promise<unknown> {
  await using memory = await openMemory({ now });
  const accountId = await createTestAccount(memory, limit);
  for (const before of earlier) await runOperation(memory.websites, accountId, before);
  return runOperation(memory.websites, accountId, operation);
}
