import { note } from "../output/notices.ts";
import type { Interruption } from "../process/interruption.ts";
import type { Io } from "../process/io.ts";

/** Returns the interruption of a run. A command that has taken over says after the first signal why it does not end at once. */
export function announcedInterruption(io: Io): Interruption {
  return {
    takeOver: () => {
      const takeover = io.interruption.takeOver();
      takeover.signal.addEventListener("abort", () => void note(io, finishing), { once: true });
      return takeover;
    },
  };
}

const finishing = "Finishing the requests that were sent. Press Ctrl-C again to end at once.";
