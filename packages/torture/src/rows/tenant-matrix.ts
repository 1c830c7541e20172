import { openRawConnection } from "../client/raw-connection.ts";
import type { Row } from "../row.ts";
import { compareAnswers } from "../tenants/compare-answers.ts";
import { createTenants } from "../tenants/tenants.ts";
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
    const matrix = await tryMatrix({ ...tenants, keys: seen, connection, random: attack.random });
    const violations = [...matrix.violations, ...timing.violations];
    return {
      figures: { cells: matrix.cells, samples: attack.rounds, ...timing.figures },
      violations,
    };
  },
} as const satisfies Row;

const shortSamples = 1_000;
const fewWebsites = 2_000;
const manyWebsites = 20_000;
