/**
 * Shifts the clock of a process and its threads by some milliseconds, as on a machine whose clock is wrong. Loaded with `--import`
 * before the program.
 */
const shiftMs = Number(process.env["SHIFTED_CLOCK_MS"]);
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...parts: [] | ConstructorParameters<typeof Date>) {
    if (parts.length === 0) super(RealDate.now() + shiftMs);
    else super(...parts);
  }

  static override now(): number {
    return RealDate.now() + shiftMs;
  }
}

// The cast is safe: nothing in the program calls `Date` without `new`.
globalThis.Date = ShiftedDate as DateConstructor;
