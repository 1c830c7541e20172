import { setTimeout as sleep } from "node:timers/promises";
import { startPostgresCluster } from "@siteward/testing/postgres-cluster";
import { createHttpClient } from "../client/http-client.ts";
import { createPostgresDatabase } from "../engines/postgres.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { checkOnce } from "../once/check-once.ts";
import { forgetOutcomes } from "../once/forget-outcomes.ts";
import { judgeCreate } from "../once/judge-create.ts";
import type { KeyedCreate, Sender } from "../once/keyed-create.ts";
import { runCreates, settleCreates } from "../once/run-creates.ts";
import { outages, type Target } from "../outages/outage.ts";
import type { Row } from "../row.ts";

/** Crashes a PostgreSQL server with default settings while websites are created under idempotency keys, and retries. */
export const onceOutage = {
  promise:
    "If PostgreSQL crashes during a create with an idempotency key, the retry gets the first answer, " +
    "or creates the website once.",
  engines: ["postgres"],
  needs: ["linux"],
  rounds: { unit: "crashes", default: 20, short: 2 },
  async run(attack) {
    await using cluster = await startPostgresCluster();
    await using database = await createPostgresDatabase(cluster.urlOf, "torture");
    const { apiKey } = await attack.createAccount(database);
    await using server = await attack.start({ url: `${database.url}?${impatience}` }, { workers: 2 });
    using client = createHttpClient(server.url);
    const target: Target = { cluster, database, disk: undefined, random: attack.random };
    const all: KeyedCreate[] = [];
    const violations: string[] = [];
    const counts = { creates: 0, "stored without an answer": 0, "created by a retry": 0 };
    let crashes = 0;
    for (; crashes < attack.rounds && !hasSeenSabotage(attack, violations); crashes += 1) {
      const cutOff = await createDuringCrash({ client, apiKey }, { target, name: `crash-${crashes}` });
      if (attack.isSabotaged) await forgetOutcomes(database);
      await settleCreates({ client, apiKey }, cutOff, counts);
      const others = ["idempotency_in_progress", "unavailable"] as const;
      violations.push(...cutOff.flatMap((create) => judgeCreate(create, "created", others)));
      all.push(...cutOff);
    }
    if (!attack.isSabotaged) violations.push(...(await checkOnce(database, all)));
    return { figures: { crashes, ...counts }, violations };
  },
} as const satisfies Row;

/** Short timeouts, so that the crash is noticed. */
const impatience = "pool_timeout=1&connect_timeout=1&statement_timeout=1000";

async function createDuringCrash(
  sender: Sender,
  { target, name }: { readonly target: Target; readonly name: string },
): Promise<KeyedCreate[]> {
  let isDone = false;
  const creating = runCreates(sender, { name, isDone: () => isDone, onAnswer: () => {} });
  await sleep(target.random.integer(20, 200));
  await outages.crash(target);
  isDone = true;
  return await creating;
}
