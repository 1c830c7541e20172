import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../engines/database.ts";
import { atOnce, type Race } from "./race.ts";

export interface RevocationRace extends Race {
  readonly database: Database;
}

const clients = 4;
/** How long a revoked key may go on, as is promised. */
const maxMs = 5_000;
/** Once a key is refused everywhere, it must stay so. */
const calmMs = 500;

export interface Revocation {
  /** How long after its revocation the key was let in for the last time. */
  readonly lateMs: number;
  readonly violations: readonly string[];
}

/** Uses a key while it is revoked: it is let in or refused, nothing else, and within 5 seconds it is refused for good. */
export async function raceWithRevocation({ send, apiKey, database }: RevocationRace): Promise<Revocation> {
  let lastUseAtMs = 0;
  const strange: string[] = [];
  let revokedAtMs = Number.POSITIVE_INFINITY;
  const isDone = () =>
    performance.now() > Math.max(revokedAtMs + 1_000, lastUseAtMs + calmMs) || lastUseAtMs > revokedAtMs + maxMs;
  const uses = atOnce(clients, async () => {
    while (!isDone()) {
      const { status } = await send("GET", "/api/v1/websites", apiKey);
      if (status === 200) lastUseAtMs = performance.now();
      else if (status !== 401) strange.push(`A key that is revoked was answered ${status}.`);
      await sleep(20);
    }
  });
  await sleep(300);
  await database.query(
    `update api_keys set revoked_at = ${Date.now()} where prefix = '${apiKey.slice(0, 12)}' and revoked_at is null`,
  );
  revokedAtMs = performance.now();
  await uses;
  const lateMs = Math.max(0, Math.round(lastUseAtMs - revokedAtMs));
  const late = lateMs > maxMs ? [`A key was let in ${lateMs} ms after it was revoked.`] : [];
  return { lateMs, violations: [...strange, ...late] };
}
