import fc from "fast-check";
import { expect, it } from "vitest";
import { describeOnEveryDatabase } from "../../../../test/support/engines.ts";
import { createTestAccount, newWebsite } from "../../../../test/support/storage/open-test-storage.ts";
import { openTwice } from "../../../../test/support/storage/open-twice.ts";
import type { TestWebsiteStore } from "../../../../test/support/storage/with-test-author.ts";

/** What is sent at once. */
interface Step {
  readonly creates: readonly Create[];
  /** The position of the website that is deleted, if there are as many. */
  readonly deleteIndex: number;
}

interface Create {
  /** Null sends no idempotency key. */
  readonly key: string | null;
  readonly domain: string;
}

/** What a client can tell from a result: the id of a record, or a refusal and whom it names. */
type Outcome = string;

interface Result extends Create {
  readonly outcome: Outcome;
  readonly isReplay: boolean;
}

const limit = 3;
const creates = fc.record({
  key: fc.constantFrom(null, "a", "b", "c", "d", "e"),
  domain: fc.constantFrom("1.example", "2.example", "3.example", "4.example"),
});
const oneOrMany = fc.oneof(
  fc.array(creates, { maxLength: 1 }),
  fc.array(creates, { minLength: 2, maxLength: 12, size: "max" }),
);
const steps = fc.array(fc.record({ creates: oneOrMany, deleteIndex: fc.nat(2 * limit) }), {
  minLength: 1,
  maxLength: 25,
  size: "max",
});

describeOnEveryDatabase("creates with idempotency keys", (engine) => {
  it("behave like a simple model: each key has one outcome, whatever happens at once or later", async () => {
    await using storage = await openTwice(engine);
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const accountId = await createTestAccount(storage, limit);
        const model = new Model();
        const run = async ({ creates, deleteIndex }: Step) => {
          const id = [...model.domains.keys()][deleteIndex];
          const deleting = id === undefined ? undefined : storage.websites.delete(accountId, id);
          const sent = creates.map((create, index) => send(storage.either(index), accountId, create));
          model.check(await Promise.all(sent), id);
          if (id !== undefined) expect(await deleting).toBe(true);
          expect((await storage.accounts.get(accountId))?.websites.count).toBe(model.domains.size);
        };
        for (const step of sequence) await run(step);
      }),
      { numRuns: 60 },
    );
    expect(await storage.database.findFaults()).toEqual([]);
  });
});

async function send(websites: TestWebsiteStore, accountId: number, { key, domain }: Create): Promise<Result> {
  const idempotency = key === null ? undefined : { key, fingerprint: domain };
  try {
    const { website, isReplay } = await websites.create(accountId, newWebsite(domain), { idempotency });
    return { key, domain, outcome: `${website.domain} is ${website.id}`, isReplay };
  } catch (error) {
    const { failure } = error as { failure: { reason: string; refusal?: object } };
    const isReplay = failure.reason === "refused-before";
    return { key, domain, outcome: JSON.stringify(isReplay ? failure.refusal : failure), isReplay };
  }
}

const reused = JSON.stringify({ reason: "idempotency-key-reused" });
const limitReached = JSON.stringify({ reason: "website-limit-reached", limit });

/** What an account must contain, and the outcome that each key must have from its first request on. */
class Model {
  readonly domains = new Map<number, string>();
  readonly #kept = new Map<string, { readonly domain: string; readonly outcome: Outcome }>();

  /**
   * Checks the results of creates that were sent at once.
   *
   * @param deletedId the website that was deleted meanwhile, if one was
   */
  check(results: readonly Result[], deletedId: number | undefined): void {
    const before = new Map(this.domains);
    if (deletedId !== undefined) this.domains.delete(deletedId);
    const acted = results.filter(({ outcome, isReplay }) => !isReplay && outcome !== reused);
    for (const result of acted) this.#act(result);
    const all = new Map([...before, ...this.domains]);
    for (const { outcome, domain } of acted.filter(isRefused)) {
      if (outcome === limitReached) expect(all.size).toBeGreaterThanOrEqual(limit);
      else expect([...all].map(toDomainTaken)).toContain(`${domain}: ${outcome}`);
    }
    for (const { key, domain, outcome, isReplay } of results) {
      const kept = key === null ? undefined : this.#kept.get(key);
      if (isReplay) expect({ domain, outcome }).toEqual(kept);
      if (outcome === reused) expect(kept).toMatchObject({ domain: expect.not.stringMatching(domain) });
    }
    expect(new Set(this.domains.values()).size).toBe(this.domains.size);
    expect(this.domains.size).toBeLessThanOrEqual(limit);
  }

  #act({ key, domain, outcome }: Result): void {
    if (key !== null) {
      expect(this.#kept.has(key), `${key} was acted on twice`).toBe(false);
      this.#kept.set(key, { domain, outcome });
    }
    if (isRefused({ outcome })) return;
    const id = Number(outcome.split(" ").at(-1));
    expect(this.domains.has(id)).toBe(false);
    this.domains.set(id, domain);
  }
}

function isRefused({ outcome }: Pick<Result, "outcome">): boolean {
  return outcome.startsWith("{");
}

function toDomainTaken([websiteId, domain]: [number, string]): string {
  return `${domain}: ${JSON.stringify({ reason: "domain-taken", domain, websiteId })}`;
}
