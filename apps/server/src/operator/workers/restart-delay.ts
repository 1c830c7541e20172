/** How many workers in a row ended young, and how long the place of the last one stays empty. */
export interface RestartDelay {
  readonly youngEnds: number;
  readonly delayMs: number;
}

/** A worker that lived so long was well. */
const youngMs = 10_000;
const firstDelayMs = 100;
const maxDelayMs = 30_000;

/**
 * Decides when a worker that ended is replaced: at once, but workers that end young one after the other are waited for
 * twice as long each time, up to half a minute, since starting them costs the others their time.
 *
 * @param youngEndsBefore how many in a row ended young before this one
 */
export function decideRestartDelay(youngEndsBefore: number, livedMs: number): RestartDelay {
  if (livedMs >= youngMs) return { youngEnds: 0, delayMs: 0 };
  const delayMs = youngEndsBefore === 0 ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (youngEndsBefore - 1));
  return { youngEnds: youngEndsBefore + 1, delayMs };
}
