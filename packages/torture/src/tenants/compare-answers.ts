import type { RawConnection } from "../client/raw-connection.ts";
import { writeRequest } from "../client/write-request.ts";
import { generateApiKey } from "../engines/account-rows.ts";
import type { Attack } from "../row.ts";
import { compareTiming } from "../statistics/compare-timing.ts";
import { foreignId, freeTerm, heldTerm, neverId, type Tenants } from "./tenants.ts";

export interface ComparisonOptions extends Tenants {
  readonly attack: Attack;
  readonly connection: RawConnection;
}

export interface Comparison {
  readonly figures: Readonly<Record<string, string>>;
  readonly violations: readonly string[];
}

const sabotagedSamples = 60;

/** Times pairs of requests that get the same answer. */
export async function compareAnswers(options: ComparisonOptions): Promise<Comparison> {
  const { attack, connection } = options;
  const figures: Record<string, string> = {};
  const violations: string[] = [];
  for (const [name, requests] of Object.entries(pairsOf(options))) {
    const { differenceMs, p, isTold } = await compareTiming(connection, requests, {
      // If a search reads an entire account, a few samples show the difference.
      samples: attack.isSabotaged ? Math.min(attack.rounds, sabotagedSamples) : attack.rounds,
      random: attack.random,
    });
    const difference = `${Math.round(differenceMs * 1000)} µs`;
    figures[name] = difference;
    if (isTold) violations.push(`The time distinguishes ${name}: ${difference} apart, p = ${p.toExponential(1)}.`);
  }
  return { figures, violations };
}

function pairsOf({ keys, attack }: ComparisonOptions): Record<string, [string, string]> {
  const get = (id: number) => writeRequest({ method: "GET", path: `/api/v1/websites/${id}`, apiKey: keys.own });
  const search = (term: string) =>
    writeRequest({ method: "GET", path: `/api/v1/websites?search=${term}`, apiKey: keys.own });
  const use = (apiKey: string) => writeRequest({ method: "GET", path: "/api/v1/account", apiKey });
  return {
    "foreign ID vs unused ID": [get(neverId), get(foreignId)],
    "revoked key vs unknown key": [use(generateApiKey(attack.random)), use(keys.revoked)],
    "expired key vs unknown key": [use(generateApiKey(attack.random)), use(keys.expired)],
    "another account's search term vs unused term": [search(freeTerm), search(heldTerm)],
  };
}
