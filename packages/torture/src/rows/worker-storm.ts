import type { Attack, Row } from "../row.ts";
import { killPrimary } from "../storm/kill-primary.ts";
import { killWorkers } from "../storm/kill-workers.ts";
import { stopWorker } from "../storm/stop-worker.ts";

/** Stops a worker, kills workers faster than they start, and kills the first process, all under load. */
export const workerStorm = {
  promise:
    "A worker that hangs is replaced, a storm of kills loses no acknowledged write and ends in seconds, " +
    "and no worker outlives the first process.",
  engines: ["sqlite", "postgres"],
  needs: ["linux"],
  rounds: { unit: "storms", default: 3, short: 1 },
  async run(attack) {
    const found: Found[] = [];
    for (let round = 0; round < attack.rounds; round += 1) found.push(await runRound(attack));
    const worst = (choose: (found: Found) => number) => seconds(Math.max(...found.map(choose)));
    const sum = (choose: (found: Found) => number) => found.map(choose).reduce((total, count) => total + count, 0);
    return {
      figures: {
        storms: attack.rounds,
        "recovery after a hung worker": worst(({ hang }) => hang.wellAfterMs),
        kills: sum(({ storm }) => storm?.kills ?? 0),
        "connections lost": sum(({ storm }) => storm?.failed ?? 0),
        acknowledged: sum(({ storm }) => storm?.acknowledged ?? 0),
        "recovery after the storm": worst(({ storm }) => storm?.wellAfterMs ?? 0),
        "port free after": worst(({ primary }) => primary?.freeAfterMs ?? 0),
      },
      violations: found.flatMap(({ violations }) => violations),
    };
  },
} as const satisfies Row;

type Found = Awaited<ReturnType<typeof runRound>>;

const stormMs = 4_000;
const shortStormMs = 1_500;

async function runRound(attack: Attack) {
  const violations: string[] = [];
  const database = await attack.createDatabase();
  const target = { attack, database, account: await attack.createAccount(database) };
  const hang = await stopWorker(target);
  violations.push(...hang.violations);
  if (attack.isSabotaged) return { hang, violations };
  const storm = await killWorkers(target, attack.rounds === 1 ? shortStormMs : stormMs);
  violations.push(...storm.violations);
  const primary = await killPrimary(target);
  violations.push(...primary.violations);
  return { hang, storm, primary, violations };
}

function seconds(ms: number): string {
  return Number.isFinite(ms) ? `${(ms / 1000).toFixed(1)} s` : "never";
}
