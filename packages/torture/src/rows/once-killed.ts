import { setTimeout as sleep } from "node:timers/promises";
import { createHttpClient } from "../client/http-client.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { checkOnce } from "../once/check-once.ts";
import { forgetOutcomes } from "../once/forget-outcomes.ts";
import { judgeCreate } from "../once/judge-create.ts";
import type { KeyedCreate } from "../once/keyed-create.ts";
import { runCreates, settleCreates } from "../once/run-creates.ts";
import type { Row } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";

/** Kills the server with kill -9 while it creates websites under idempotency keys, and retries after the restart. */
export const onceKilled = {
  promise:
    "If the server is killed during a create with an idempotency key, the retry gets the first answer, " +
    "or creates the website once.",
  engines: ["sqlite", "postgres"],
  rounds: { unit: "kills", default: 100, short: 3 },
  async run(attack) {
    const database = await attack.createDatabase();
    const { apiKey } = await attack.createAccount(database);
    const all: KeyedCreate[] = [];
    const violations: string[] = [];
    const counts = { creates: 0, "stored without an answer": 0, "created by a retry": 0 };
    let kills = 0;
    let cutOff: readonly KeyedCreate[] = [];
    // The last round retries what the round before it left, and kills nothing.
    for (let round = 0; round <= attack.rounds && !hasSeenSabotage(attack, violations); round += 1) {
      await using server = await attack.start(database, { workers: attack.random.integer(1, 2), settings });
      using client = createHttpClient(server.url);
      if (attack.isSabotaged) await forgetOutcomes(database);
      await settleCreates({ client, apiKey }, cutOff, counts);
      violations.push(...cutOff.flatMap((create) => judgeCreate(create, "created")));
      all.push(...cutOff);
      if (round === attack.rounds) break;
      const enough = attack.random.integer(1, 100);
      cutOff = await createUntilKilled({ client, apiKey, server }, { name: `kill-${round}`, enough });
      kills += 1;
    }
    if (!attack.isSabotaged) violations.push(...(await checkOnce(database, all)));
    return { figures: { kills, ...counts }, violations };
  },
} as const satisfies Row;

interface Target {
  readonly client: ReturnType<typeof createHttpClient>;
  readonly apiKey: string;
  readonly server: TargetServer;
}

const maxLoadMs = 3_000;
/** Replays name the website by its URL, and each server listens on another port. */
const settings = { SITEWARD_PUBLIC_URL: "https://siteward.example" };

async function createUntilKilled(
  { server, ...sender }: Target,
  { name, enough }: { readonly name: string; readonly enough: number },
): Promise<KeyedCreate[]> {
  let [isDone, answers] = [false, 0];
  const creating = runCreates(sender, { name, isDone: () => isDone, onAnswer: () => (answers += 1) });
  for (const endMs = Date.now() + maxLoadMs; answers < enough && Date.now() < endMs; ) await sleep(1);
  const killing = server.kill();
  isDone = true;
  await killing;
  return await creating;
}
