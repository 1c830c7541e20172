import type { Random } from "../random.ts";

const clockModule = new URL("./shifted-clock.ts", import.meta.url).href;
const maxShiftMs = 2 * 3_600_000;

/** Returns what a server needs in its environment to have a clock that is wrong by up to two hours. */
export function chooseWrongClock(random: Random): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: `--import=${clockModule}`,
    SHIFTED_CLOCK_MS: String(random.integer(-maxShiftMs, maxShiftMs)),
  };
}
