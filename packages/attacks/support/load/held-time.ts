import { readMainThreadMs } from "@siteward/testing/process-tree";
import { get } from "../bytes/raw-requests.ts";
import { openRawConnection, type RawAnswer, type RawConnection } from "../client/raw-connection.ts";
import { percentile } from "../percentile.ts";

/** The first tries of each request run code that V8 has not compiled yet. */
const minTries = 3;

interface Held {
  /** How long other requests waited for this one. */
  readonly heldMs: number;
  /** Undefined if the connection was closed without an answer. */
  readonly answer: RawAnswer | undefined;
}

/** Measures how long a server lets other requests wait for one. */
export interface HeldTime extends Disposable {
  /**
   * The machine has other work as well. Of each try, only the time counts in which the main thread had a core; of several tries, the
   * shortest counts. Stops once that is short enough, or too long for other work to explain it.
   */
  measure(bytes: Uint8Array, limits: { readonly tries: number; readonly maxMs: number }): Promise<Held>;
}

export async function openHeldTime(port: number, processId: number): Promise<HeldTime> {
  const [attacker, healthy] = [openRawConnection(port), openRawConnection(port)];
  const quietTimesMs: number[] = [];
  for (let count = 0; count < 200; count += 1) quietTimesMs.push(await measureHealth(healthy));
  const quietMs = percentile(quietTimesMs, 50);
  /** Measures the longest time that a healthy client waits while the request is in progress. */
  const tryOnce = async (bytes: Uint8Array) => {
    const workedBeforeMs = readMainThreadMs(processId);
    let isAnswered = false;
    const sent = attacker
      .send(bytes)
      .catch(() => undefined)
      .finally(() => {
        isAnswered = true;
      });
    let longestMs = 0;
    while (!isAnswered) longestMs = Math.max(longestMs, await measureHealth(healthy));
    const heldMs = Math.min(Math.max(0, longestMs - quietMs), readMainThreadMs(processId) - workedBeforeMs);
    return { answer: await sent, heldMs };
  };
  return {
    async measure(bytes, { tries, maxMs }) {
      let held = await tryOnce(bytes);
      for (let count = 1; count < tries; count += 1) {
        if (count >= minTries && (held.heldMs <= maxMs || held.heldMs > 3 * maxMs)) break;
        const { answer, heldMs } = await tryOnce(bytes);
        held = { answer, heldMs: Math.min(held.heldMs, heldMs) };
      }
      return held;
    },
    [Symbol.dispose]: () => {
      for (const connection of [attacker, healthy]) connection[Symbol.dispose]();
    },
  };
}

async function measureHealth(healthy: RawConnection): Promise<number> {
  const startedAtMs = performance.now();
  await healthy.send(get("/healthz"));
  return performance.now() - startedAtMs;
}
