import { setUpError } from "./set-up-error.ts";

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
   * @throws TypeError if the time is not a valid Date
   * @example
   * fake.clock.set(new Date("2026-01-01T00:00:00Z"));
   */
  set(time: Date): void;
  /**
   * Moves the clock forward, for example by 24 hours, after which idempotency keys are forgotten. A clock that runs
   * continues from there.
   *
   * @param byMs milliseconds, at least 0
   * @throws TypeError if it is not a number of at least 0
   * @example
   * fake.clock.advance(24 * 60 * 60 * 1000);
   */
  advance(byMs: number): void;
}

/** @param now the clock of the runtime, in milliseconds since 1970 */
export function createClock(now: () => number): FakeClock {
  let stoppedAtMs: number | undefined;
  let aheadMs = 0;
  const nowMs = () => (stoppedAtMs ?? now()) + aheadMs;
  return {
    now: () => new Date(nowMs()),
    set(time) {
      if (!isValidDate(time)) throw setUpError("clock.set", "the time must be a valid Date.");
      stoppedAtMs = time.getTime();
      aheadMs = 0;
    },
    advance(byMs) {
      if (!(byMs >= 0 && Number.isFinite(nowMs() + byMs) && !Number.isNaN(new Date(nowMs() + byMs).getTime()))) {
        throw setUpError("clock.advance", "byMs must be a number of milliseconds, at least 0.");
      }
      aheadMs += byMs;
    },
  };
}

/** Whether a program passes a Date that is a time. `new Date("tomorrow")` is none. */
export function isValidDate(time: unknown): time is Date {
  return time instanceof Date && !Number.isNaN(time.getTime());
}
