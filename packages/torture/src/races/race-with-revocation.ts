import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../engines/database.ts";
import { atOnce, type Race } from "./race.ts";

export interface RevocationRace extends Race {
  readonly database: Database;
}

const clients = 4;
/** How long a revoked key may still be accepted, as docs/operating.md promises. */
const maxMs = 5_000;
/** Once all processes refuse a key, they must keep refusing it for this long. */
const calmMs = 500;

/** Uses a key while it is revoked. Each request is accepted or refused, and after at most 5 seconds all are refused. */
export async function raceWithRevocation({ send, apiKey, database }: RevocationRace): Promise<string[]> {
  let lastUseAtMs = 0;
  const strange: string[] = [];
  let revokedAtMs = Number.POSITIVE_INFINITY;
  const isDone = () =>
    performance.now() > Math.max(revokedAtMs + 1_000, lastUseAtMs + calmMs) || lastUseAtMs > revokedAtMs + maxMs;
  const uses = atOnce(clients, async () => {
    while (!isDone()) {
      const { status } = await send("GET", "/api/v1/websites", apiKey);
      if (status === 200) lastUseAtMs = performance.now();
      else if (status !== 401) strange.push(`A revoked key was answered with ${status}.`);
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
  const late = lateMs > maxMs ? [`A key was accepted ${lateMs} ms after it was revoked.`] : [];
  return [...strange, ...late];
}
