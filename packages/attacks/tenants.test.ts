import { generateApiKey } from "@siteward/testing/engines/account-rows";
import { engineNames } from "@siteward/testing/engines/database";
import { createRandom } from "@siteward/testing/random";
import { startServer } from "@siteward/testing/servers/start-server";
import { expect, test } from "vitest";
import { report, rounds, seed } from "./support/attack.ts";
import { openRawConnection } from "./support/client/raw-connection.ts";
import { writeRequest } from "./support/client/write-request.ts";
import { compareTiming } from "./support/tenants/compare-timing.ts";
import { createTenants, foreignId, heldTerm, neverId, type Tenants } from "./support/tenants/tenants.ts";

test.for(engineNames)("the time of an answer tells no more than its content, on %s", async (engine) => {
  const samples = rounds(200);
  await using tenants = await createTenants(engine, samples < 1_000 ? 2_000 : 20_000);
  await using server = await startServer(tenants.url);
  using connection = openRawConnection(server.port);
  const told: string[] = [];
  const figures: Record<string, string> = {};
  for (const [name, requests] of Object.entries(equalRequests(tenants))) {
    const { differenceMs, slowerShare, isTold } = await compareTiming(connection, requests, {
      samples,
      random: createRandom(seed),
    });
    figures[name] = `${Math.round(differenceMs * 1000)} µs`;
    if (isTold) told.push(`${name}: ${figures[name]} apart, and slower in a share of ${slowerShare}`);
  }
  expect(told).toEqual([]);
  report({ samples, ...figures });
});

/** Pairs of requests that get the same answer. */
function equalRequests({ keys }: Tenants): Record<string, [string, string]> {
  const get = (path: string, apiKey = keys.own) => writeRequest({ method: "GET", path: `/api/v1/${path}`, apiKey });
  return {
    "foreign ID vs unused ID": [get(`websites/${neverId}`), get(`websites/${foreignId}`)],
    "revoked key vs unknown key": [get("account", generateApiKey()), get("account", keys.revoked)],
    "expired key vs unknown key": [get("account", generateApiKey()), get("account", keys.expired)],
    "another account's search term vs unused term": [get("websites?search=qxj"), get(`websites?search=${heldTerm}`)],
  };
}
