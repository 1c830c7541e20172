import { createHttpClient } from "../client/http-client.ts";
import { openRawConnection } from "../client/raw-connection.ts";
import { raceWithRevocation } from "../races/race-with-revocation.ts";
import type { Attack, Row } from "../row.ts";
import { compareAnswers } from "../tenants/compare-answers.ts";
import { createTenants, type Tenants } from "../tenants/tenants.ts";
import { tryMatrix } from "../tenants/try-matrix.ts";

/** Tests every route with keys and ids of every kind, and whether the time of an answer reveals more than its content. */
export const tenantMatrix = {
  promise:
    "An account learns nothing about another account and changes nothing in it, by the answers or by their timing.",
  engines: ["sqlite", "postgres"],
  rounds: { unit: "samples", default: 3_000, short: 200 },
  async run(attack) {
    const tenants = await createTenants(attack, attack.rounds < shortSamples ? fewWebsites : manyWebsites);
    await using server = await attack.start(tenants.database);
    using connection = openRawConnection(server.port);
    const { keys } = tenants;
    // The sabotage: an account gets access to the other account.
    const seen = attack.isSabotaged ? { ...keys, own: keys.other } : keys;
    const timing = await compareAnswers({ ...tenants, keys: seen, attack, connection });
    const revocation = await revoke(attack, tenants);
    const matrix = await tryMatrix({ ...tenants, keys: seen, connection, random: attack.random });
    const violations = [...matrix.violations, ...timing.violations, ...revocation.violations];
    return {
      figures: {
        cells: matrix.cells,
        "revoked key accepted for": `${revocation.lateMs} ms`,
        samples: attack.rounds,
        ...timing.figures,
        violations: violations.length,
      },
      violations,
    };
  },
} as const satisfies Row;

const shortSamples = 1_000;
const fewWebsites = 2_000;
const manyWebsites = 20_000;

/** Runs on two workers, each of which caches the keys that it has read. */
async function revoke(attack: Attack, { database, keys }: Tenants) {
  await using server = await attack.start(database, { workers: 2 });
  using client = createHttpClient(server.url);
  const send = (method: string, path: string, apiKey: string) => client.send(method, path, { apiKey });
  return await raceWithRevocation({ send, apiKey: keys.toRevoke, random: attack.random, name: "revoked", database });
}
