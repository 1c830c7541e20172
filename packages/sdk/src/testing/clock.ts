/** The clock of a fake. It is the clock of the runtime, until a test sets or advances it. */
export interface FakeClock {
  /**
   * Returns the time.
   *
   * @example
   * const expiresAt = new Date(fake.clock.now().getTime() + 60_000);
   */
  now(): Date;
  /**
   * Sets the time and stops the clock, so that time passes only in `set` and `advance`.
   *
   * @throws RangeError if the time is not valid, such as `new Date("tomorrow")`
   * @example
   * fake.clock.set(new Date("2026-01-01T00:00:00Z"));
   */
  set(time: Date): void;
  /**
   * Moves the clock forward, for example by 24 hours, after which idempotency keys are forgotten. A clock that runs
   * continues from there.
   *
   * @param byMs milliseconds, at least 0
   * @example
   * fake.clock.advance(24 * 60 * 60 * 1000);
   */
  advance(byMs: number): void;
}

/** Creates a clock that runs until it is set. */
export function createClock(): FakeClock {
  let stoppedAtMs: number | undefined;
  let aheadMs = 0;
  return {
    // Reads the global each time, because fake timers replace it, perhaps after the fake was created.
    now: () => new Date((stoppedAtMs ?? Date.now()) + aheadMs),
    set(time) {
      if (Number.isNaN(time.getTime())) throw new RangeError("The time is not a valid Date.");
      stoppedAtMs = time.getTime();
      aheadMs = 0;
    },
    advance(byMs) {
      aheadMs += byMs;
    },
  };
}
