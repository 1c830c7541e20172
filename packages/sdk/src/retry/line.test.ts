import { RateLimiter } from "@siteward/service";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Line } from "./line.ts";
import { systemTiming, type Timing } from "./timing.ts";

interface SimulatedCall {
  readonly startMs: number;
  /** How long its requests take to the service, and their answers back. */
  readonly thereMs: number;
  readonly backMs: number;
  /** When its signal aborts. */
  readonly abortMs: number | undefined;
  readonly maxConcurrent: number;
  /** Whether its first request gets a 429 that does not name the limit, as from a proxy. */
  readonly isRefusedByProxy: boolean;
}

const anyCall: fc.Arbitrary<SimulatedCall> = fc.record({
  startMs: fc.nat({ max: 500 }),
  thereMs: fc.nat({ max: 80 }),
  backMs: fc.nat({ max: 80 }),
  abortMs: fc.option(fc.nat({ max: 3_000 }), { nil: undefined, freq: 5 }),
  maxConcurrent: fc.constantFrom(1, 2, 4, 8),
  isRefusedByProxy: fc.boolean(),
});
const anyPlan = fc.record({
  calls: fc.array(anyCall, { minLength: 1, maxLength: 60 }),
  limit: fc.constantFrom(1, 5, 20, 600),
});

test("whatever calls come, each is sent or gives up, never too many at once, and first in the order in which they came", async () => {
  await fc.assert(
    fc.asyncProperty(anyPlan, async (plan) => {
      const simulation = new Simulation(plan.limit);
      const ends = plan.calls.map((call) => simulation.call(call));
      await simulation.run();
      const given = await Promise.all(ends);
      for (const [index, end] of given.entries()) {
        if (end === "aborted") expect(plan.calls[index]).not.toHaveProperty("abortMs", undefined);
      }
      expect(simulation.tooMany).toBe(0);
      expect(simulation.firstSent).toEqual(simulation.firstSent.toSorted((one, other) => one - other));
      // Only what is on its way when the bucket is empty.
      expect(simulation.refusals).toBeLessThanOrEqual(8);
    }),
    { numRuns: 300 },
  );
});

test("40,000 calls that wait can be aborted in any order without holding up the program", async () => {
  for (const isFromLast of [false, true]) {
    const line = new Line(systemTiming);
    void line.enter({ number: line.takeNumber(), maxConcurrent: 1, signal: undefined });
    const controllers = Array.from({ length: 40_000 }, () => new AbortController());
    const calls = controllers.map(({ signal }) => line.enter({ number: line.takeNumber(), maxConcurrent: 1, signal }));
    const ends = Promise.allSettled(calls);
    const startMs = performance.now();
    for (const controller of isFromLast ? controllers.toReversed() : controllers) controller.abort();
    // Half a second each. It took 13 s from the last to the first as long as each abort searched for its place.
    expect(performance.now() - startMs).toBeLessThan(5_000);
    expect((await ends).every(({ status }) => status === "rejected")).toBe(true);
  }
});

test("calls that one signal aborts leave the turns of the limit to the calls behind them", async () => {
  let nowMs = 0;
  // The timer is late, so the bucket holds a request when the signal aborts.
  const line = new Line({ ...systemTiming, nowMs: () => nowMs, startTimer: () => () => {} });
  const enter = (signal?: AbortSignal) => line.enter({ number: line.takeNumber(), maxConcurrent: 8, signal });
  expect(enter()).toBeUndefined();
  line.pause(1_000, { limit: 60, remaining: 0, resetMs: 1_000 });
  line.leave();
  const controller = new AbortController();
  const aborted = Promise.allSettled([1, 2, 3].map(() => enter(controller.signal)));
  const last = enter();
  nowMs = 1_000;
  controller.abort();
  await last;
  expect((await aborted).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
});

/** Calls, a service with a limit, and a network that takes time, on a clock that runs as fast as the calls allow. */
class Simulation {
  tooMany = 0;
  refusals = 0;
  /** The numbers of the calls, in the order in which they were first sent. */
  readonly firstSent: number[] = [];
  readonly #limit: number;
  readonly #service: RateLimiter;
  readonly #line: Line;
  readonly #timers = new Map<() => void, number>();
  #nowMs = 0;
  #onTheirWay = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#service = new RateLimiter(() => this.#nowMs);
    const unused = () => expect.unreachable("the line needs only a clock and a timer");
    const timing: Timing = {
      nowMs: () => this.#nowMs,
      startTimer: (delayMs, run) => this.#startTimer(delayMs, run),
      random: unused,
      uuid: unused,
      wait: unused,
    };
    this.#line = new Line(timing);
  }

  /** Runs until no timer is left. */
  async run(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const [first] = [...this.#timers].toSorted(([, one], [, other]) => one - other);
      if (first === undefined) return;
      const [run, atMs] = first;
      this.#timers.delete(run);
      this.#nowMs = atMs;
      run();
    }
  }

  async call(call: SimulatedCall): Promise<"sent" | "aborted"> {
    const { startMs, abortMs, maxConcurrent, isRefusedByProxy } = call;
    await this.#pass(startMs);
    const controller = new AbortController();
    if (abortMs !== undefined) this.#startTimer(abortMs, () => controller.abort());
    const place = { number: this.#line.takeNumber(), maxConcurrent, signal: controller.signal };
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.#line.enter(place);
      } catch {
        return "aborted";
      }
      if (attempt === 0) this.firstSent.push(place.number);
      this.#onTheirWay += 1;
      if (this.#onTheirWay > maxConcurrent) this.tooMany += 1;
      const meetsProxy = attempt === 0 && isRefusedByProxy;
      const isDone = meetsProxy ? await this.#meetProxy(call) : await this.#send(call);
      this.#onTheirWay -= 1;
      this.#line.leave();
      if (isDone) return "sent";
      if (meetsProxy) await this.#pass(1_000);
    }
  }

  async #meetProxy({ thereMs }: SimulatedCall): Promise<boolean> {
    const sentMs = this.#nowMs;
    await this.#pass(thereMs);
    this.#line.note(sentMs, false, () => undefined);
    return false;
  }

  async #send({ thereMs, backMs }: SimulatedCall): Promise<boolean> {
    const sentMs = this.#nowMs;
    await this.#pass(thereMs);
    const grant = this.#service.take(1, this.#limit);
    await this.#pass(backMs);
    const rateLimit = { limit: this.#limit, remaining: grant.remaining, resetMs: 1_000 };
    if (grant.granted === 1) {
      this.#line.note(sentMs, true, () => rateLimit);
      return true;
    }
    this.refusals += 1;
    this.#line.pause(Math.ceil(grant.dueInMs / 1_000) * 1_000, rateLimit);
    return false;
  }

  #pass(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.#startTimer(delayMs, resolve));
  }

  #startTimer(delayMs: number, run: () => void): () => void {
    const own = () => run();
    this.#timers.set(own, this.#nowMs + delayMs);
    return () => this.#timers.delete(own);
  }
}
