import type { AppError } from "@siteward/service";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PasswordQueue, type PasswordQueueLimits } from "./password-queue.ts";

const generous = { maxRunning: 1, maxWaiting: 10, maxWaitingPerKey: 10, maxWaitMs: 60_000 };
const stays = new AbortController().signal;

/** Hashes that end when the test says so. */
class HeldHasher {
  readonly started: string[] = [];
  readonly running: Array<{ readonly password: string; readonly resolve: (hash: string) => void }> = [];

  readonly hash = (password: string): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.started.push(password);
    this.running.push({ password, resolve });
    return promise;
  };

  end(pick = 0): void {
    const [ended] = this.running.splice(pick % Math.max(1, this.running.length), 1);
    ended?.resolve(`hash of ${ended.password}`);
  }
}

/** Lets everything continue that waits only for promises. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

type Step = readonly ["ask" | "end" | "go", pick: number];

const steps = fc.array(fc.tuple(fc.constantFrom("ask", "ask", "ask", "end", "go"), fc.nat()), {
  minLength: 20,
  maxLength: 40,
});
const limits = fc.record({
  maxRunning: fc.integer({ min: 1, max: 3 }),
  maxWaiting: fc.integer({ min: 1, max: 6 }),
  maxWaitingPerKey: fc.integer({ min: 1, max: 4 }),
  maxWaitMs: fc.constant(60_000),
});

/** Clients that request hashes, each with the answers it got so far. */
class Clients {
  readonly held = new HeldHasher();
  readonly limits: PasswordQueueLimits;
  readonly queue: PasswordQueue;
  readonly asked: Array<{ readonly password: string; readonly gone: AbortController; readonly answers: string[] }> = [];

  constructor(chosen: PasswordQueueLimits) {
    this.limits = chosen;
    this.queue = new PasswordQueue(this.held.hash, chosen);
  }

  async take([kind, pick]: Step): Promise<void> {
    if (kind === "ask") this.ask(pick % 3);
    else if (kind === "end") this.held.end(pick);
    else await this.go(pick);
    await settle();
    const waiting = this.asked.filter(({ password, answers }) => answers.length === 0 && !this.hasStarted(password));
    expect(this.held.running.length).toBeLessThanOrEqual(this.limits.maxRunning);
    expect(waiting.length).toBeLessThanOrEqual(this.limits.maxWaiting);
    if (waiting.length > 0) expect(this.held.running.length).toBe(this.limits.maxRunning);
  }

  ask(keyId: number): void {
    const client = { password: `password ${this.asked.length}`, gone: new AbortController(), answers: [] as string[] };
    this.asked.push(client);
    void this.queue.hash(client.password, { keyId, disconnected: client.gone.signal }).then(
      (hash) => client.answers.push(hash),
      (error: AppError) => client.answers.push(error.code),
    );
  }

  /** A client that waits leaves the queue at once. */
  async go(pick: number): Promise<void> {
    const client = this.asked[pick % Math.max(1, this.asked.length)];
    if (client === undefined) return;
    const hadStarted = this.hasStarted(client.password);
    client.gone.abort();
    await settle();
    if (!hadStarted) expect([this.hasStarted(client.password), client.answers]).toEqual([false, ["unavailable"]]);
  }

  async finish(): Promise<void> {
    while (this.held.running.length > 0) await this.take(["end", 0]);
  }

  /** A client that disconnected may have had its answer before. */
  possibleAnswers({ password, gone }: (typeof this.asked)[number]): string[][] {
    const refused = ["unavailable"];
    if (!this.hasStarted(password)) return [refused];
    return gone.signal.aborted ? [refused, [`hash of ${password}`]] : [[`hash of ${password}`]];
  }

  hasStarted(password: string): boolean {
    return this.held.started.includes(password);
  }
}

describe("the queue of passwords to hash", () => {
  test("never runs more hashes than its limit, leaves no slot unused, answers every client once, and hashes for no client that has disconnected", async () => {
    await fc.assert(
      fc.asyncProperty(limits, steps, async (chosen, played) => {
        const clients = new Clients(chosen);
        for (const step of played) await clients.take(step);
        await clients.finish();
        for (const client of clients.asked) expect(clients.possibleAnswers(client)).toContainEqual(client.answers);
        expect(new Set(clients.held.started).size).toBe(clients.held.started.length);
      }),
      { numRuns: 100 },
    );
  });

  test("a client that disconnects while its password is hashed gets no hash, and its slot is free only once the hash has ended", async () => {
    const held = new HeldHasher();
    const queue = new PasswordQueue(held.hash, generous);
    const client = new AbortController();
    const first = queue.hash("first", { keyId: 1, disconnected: client.signal });
    const second = queue.hash("second", { keyId: 1, disconnected: stays });
    await settle();
    client.abort();
    await settle();
    expect(held.started).toEqual(["first"]);
    held.end();
    await expect(first).rejects.toMatchObject({ code: "unavailable" });
    await settle();
    held.end();
    expect(await second).toBe("hash of second");
  });

  test("a client that waits for too long is refused, told when to retry, and keeps no place in the queue", async () => {
    const held = new HeldHasher();
    const queue = new PasswordQueue(held.hash, { ...generous, maxWaiting: 1, maxWaitingPerKey: 1, maxWaitMs: 20 });
    const first = queue.hash("first", { keyId: 1, disconnected: stays });
    for (const password of ["second", "third"]) {
      const refusal = await queue.hash(password, { keyId: 1, disconnected: stays }).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: "unavailable", facts: { retryAfterS: 2 } });
    }
    held.end();
    expect(await first).toBe("hash of first");
    expect(held.started).toEqual(["first"]);
  });

  test("a refusal says whether the key or the server has too many passwords", async () => {
    const held = new HeldHasher();
    const queue = new PasswordQueue(held.hash, { ...generous, maxWaiting: 3, maxWaitingPerKey: 2 });
    const messages: string[] = [];
    const hash = (keyId: number) =>
      queue.hash("password", { keyId, disconnected: stays }).catch((error: AppError) => messages.push(error.message));
    // The first runs, two wait, and the next is past what one key may have.
    const all = [1, 1, 1, 1].map(hash);
    await settle();
    expect(messages).toEqual([expect.stringMatching(/^This API key already has as many passwords to hash/)]);
    // With the third of these, the queue is full for all.
    all.push(...[2, 3, 4].map(hash));
    await settle();
    expect(messages.slice(1)).toEqual(messages.slice(1).map(() => expect.stringMatching(/^The server has too many/)));
    expect(messages.length).toBeGreaterThan(1);
    while (held.running.length > 0) {
      held.end();
      await settle();
    }
    await Promise.all(all);
  });

  test("a hash that fails affects only its own client", async () => {
    const failures = [new Error("out of memory")];
    const queue = new PasswordQueue(async (password) => {
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
      return password;
    }, generous);
    const both = [1, 2].map((keyId) => queue.hash("correct horse", { keyId, disconnected: stays }));
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });
});
