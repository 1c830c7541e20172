import { createHttpClient } from "../client/http-client.ts";
import { AccountRows } from "../engines/account-rows.ts";
import { raceForDomain } from "../races/race-for-domain.ts";
import { raceForLimit } from "../races/race-for-limit.ts";
import { raceForRecord } from "../races/race-for-record.ts";
import { raceWithCursor } from "../races/race-with-cursor.ts";
import { raceWithRevocation } from "../races/race-with-revocation.ts";
import { takeTurns } from "../races/take-turns.ts";
import type { Attack, Row } from "../row.ts";

/** Many clients compete for what only one of them can get. */
export const races = {
  promise:
    "However many clients act at once, their answers match some serial order, and counts, IDs and limits are exact.",
  engines: ["sqlite", "postgres"],
  rounds: { unit: "rounds", default: 20, short: 2 },
  async run(attack) {
    const counts: Counts = { requests: 0, created: 0, conflicts: 0 };
    const violations: string[] = [];
    for (const workers of [1, 2]) {
      const rounds = workers === 1 ? Math.ceil(attack.rounds / 2) : Math.floor(attack.rounds / 2);
      const found = await runWithWorkers(attack, { workers, rounds, counts });
      violations.push(...found.map((violation) => `With ${workers} workers: ${violation}`));
    }
    return { figures: { rounds: attack.rounds, ...counts }, violations };
  },
} as const satisfies Row;

interface Counts {
  requests: number;
  created: number;
  conflicts: number;
}

/** The website limit of the second account. */
const websiteLimit = 7;

async function runWithWorkers(
  attack: Attack,
  { workers, rounds, counts }: { readonly workers: number; readonly rounds: number; readonly counts: Counts },
): Promise<string[]> {
  const database = await attack.createDatabase();
  await attack.operate(database, "migrate");
  const rows = new AccountRows(database, attack.random);
  const first = rows.addAccount();
  const [apiKey, otherKey] = [rows.addApiKey(first), rows.addApiKey(first)];
  const limitedKey = rows.addApiKey(rows.addAccount({ websiteLimit }));
  const listedKey = rows.addApiKey(rows.addAccount());
  await rows.written();
  await using server = await attack.start(database, { workers });
  using client = createHttpClient(server.url);
  const send = async (method: string, path: string, apiKey: string, body?: unknown) => {
    const answer = await client.send(method, path, { apiKey, body });
    counts.requests += 1;
    if (answer.status === 201) counts.created += 1;
    if (answer.status === 409) counts.conflicts += 1;
    return answer;
  };
  const { isSabotaged, random } = attack;
  const race = { send, apiKey, random, name: `w${workers}` };
  const revoking = raceWithRevocation({ ...race, apiKey: otherKey, database });
  const found: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const named = { ...race, name: `w${workers}r${round}` };
    found.push(...(await raceForDomain(named)), ...(await raceForRecord(named)), ...(await takeTurns(named)));
    found.push(...(await raceForLimit({ ...named, apiKey: limitedKey, websiteLimit, database, isSabotaged })));
    found.push(...(await raceWithCursor({ ...named, apiKey: listedKey })));
  }
  return [...found, ...(await revoking), ...(await database.findDamage())];
}
