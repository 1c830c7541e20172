import { createHttpClient } from "../client/http-client.ts";
import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { checkOnce } from "../once/check-once.ts";
import { forgetOutcomes } from "../once/forget-outcomes.ts";
import { judgeCreate, meaningOf } from "../once/judge-create.ts";
import { isReplay, type KeyedCreate, type Sender, sendCreate } from "../once/keyed-create.ts";
import { atOnce } from "../races/race.ts";
import type { Row } from "../row.ts";

/** Many connections send the same create with one idempotency key to two workers. */
export const once = {
  promise:
    "However often a create is sent at once with one idempotency key, it is done once, " +
    "and every other answer is an equal replay or a 409.",
  engines: ["sqlite", "postgres"],
  rounds: { unit: "rounds", default: 200, short: 16 },
  async run(attack) {
    const database = await attack.createDatabase();
    const { apiKey } = await attack.createAccount(database);
    await using server = await attack.start(database, { workers: 2 });
    using client = createHttpClient(server.url, { connections });
    const creates: KeyedCreate[] = [];
    const violations: string[] = [];
    for (let round = 0; round < attack.rounds && !hasSeenSabotage(attack, violations); round += 1) {
      const { outcome, body } = await prepare({ client, apiKey }, round);
      const create: KeyedCreate = { key: `round-${round}`, body, answers: [] };
      await atOnce(connections, () => sendCreate({ client, apiKey }, create));
      if (attack.isSabotaged) await forgetOutcomes(database);
      await sendCreate({ client, apiKey }, create);
      creates.push(create);
      violations.push(...judgeCreate(create, outcome), ...judgeCompleteness(create));
    }
    violations.push(...(await checkOnce(database, creates)));
    return { figures: { rounds: creates.length, ...countAnswers(creates) }, violations };
  },
} as const satisfies Row;

const connections = 32;

/** Most rounds create a website. Some of them hash a password, which takes long, and some find the domain taken. */
async function prepare({ client, apiKey }: Sender, round: number) {
  const body = { domain: `round-${round}.example.com` };
  if (round % 8 === 3) return { outcome: "created", body: { ...body, privacy: 2, password: "correct horse" } } as const;
  if (round % 8 !== 5) return { outcome: "created", body } as const;
  await client.send("POST", "/api/v1/websites", { apiKey, body });
  return { outcome: "domain_taken", body } as const;
}

/** No connection is lost here, so every request is answered, one of them with the outcome and the last one with a replay. */
function judgeCompleteness({ key, answers }: KeyedCreate): string[] {
  const last = answers.at(-1);
  const isComplete = answers.length === connections + 1;
  return [
    ...(isComplete ? [] : [`${answers.length} of ${connections + 1} requests with ${key} were answered.`]),
    ...(last !== undefined && isReplay(last) ? [] : [`The retry of ${key} is not a replay: ${last?.text}`]),
  ];
}

function countAnswers(creates: readonly KeyedCreate[]) {
  const answers = creates.flatMap((create) => create.answers);
  const inProgress = answers.filter((answer) => meaningOf(answer) === "idempotency_in_progress").length;
  return { requests: answers.length, replays: answers.filter(isReplay).length, "in progress": inProgress };
}
