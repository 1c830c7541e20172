import { setTimeout as sleep } from "node:timers/promises";
import { createHttpClient } from "../client/http-client.ts";
import { hasRisen, probeFor, startProbe } from "../client/probe.ts";
import { readStoredWebsites } from "../client/stored-websites.ts";
import type { Database } from "../engines/database.ts";
import { startFlood } from "../flood/start-flood.ts";
import type { Account, Row } from "../row.ts";
import type { TargetServer } from "../servers/target-server.ts";

/** Floods the server with creates that hash a password, from clients that disconnect after 2.5 seconds. */
export const passwordFlood = {
  promise:
    "A flood of passwords delays no other account, and creates no website for a client that left before its turn.",
  engines: ["sqlite", "postgres"],
  rounds: { unit: "creates", default: 1_500, short: 200 },
  async run(attack) {
    const database = await attack.createDatabase();
    const flooding = await attack.createAccount(database, { websiteLimit: 1_000_000 });
    const other = await attack.createAccount(database);
    await using server = await attack.start(database);
    await createOne(server, other);
    const read = { path: "/api/v1/websites/1", apiKey: other.apiKey, pauseMs: 2 };
    const quiet = await probeFor(quietMs, server.url, read);
    const probe = startProbe(server.url, read);
    const flood = await startFlood(server.port, flooding, attack.rounds);
    const violations = await createMeanwhile(server, other);
    flood.leave();
    const during = await probe.stop();
    await settle(database);
    // The newest website may belong to a client that had left, and its loss would not be noticed.
    if (attack.isSabotaged) await database.query("delete from websites where domain like 'flood-%'");
    const { acknowledged, refused, breaches } = flood.judge();
    const stored = await readStored(database, flooding);
    const lost = [...acknowledged].filter((domain) => !stored.has(domain));
    const madeForNobody = [...stored].filter((domain) => !acknowledged.has(domain)).length;
    violations.push(...breaches, ...lost.map((domain) => `${domain} was acknowledged and is not stored.`));
    if (madeForNobody > maxUnderWay)
      violations.push(`${madeForNobody} websites were created for clients that had left.`);
    if (during.failed > 0) violations.push(`${during.failed} of ${during.count} reads of the other account failed.`);
    if (hasRisen(during.p99Ms, quiet.p99Ms)) {
      violations.push(
        `The other account waited ${during.p99Ms.toFixed(1)} ms (p99), ` +
          `compared with ${quiet.p99Ms.toFixed(1)} ms before.`,
      );
    }
    const counts = {
      creates: attack.rounds,
      acknowledged: acknowledged.size,
      refused,
      "for clients that left": madeForNobody,
    };
    const p99 = `${quiet.p99Ms.toFixed(1)} → ${during.p99Ms.toFixed(1)} ms`;
    return { figures: { ...counts, "other account's p99": p99 }, violations };
  },
} as const satisfies Row;

const quietMs = 1_500;
/** When the other account creates websites, after the flood has started. The clients of the flood leave at the end. */
const createAtMs = [0, 600, 1_200];
const stayMs = 1_900;
/** A create took 2 seconds on a machine without other work. Before hashing was limited, it took 16 to 24. */
const maxCreateMs = 4_000;
/**
 * The work that was in progress when the clients left: at most half of the four threads hash, and the same number of writes can
 * wait for their commit.
 */
const maxUnderWay = 4;

async function createOne({ url }: TargetServer, { apiKey }: Account): Promise<void> {
  using client = createHttpClient(url, { connections: 1 });
  const { status, text } = await client.send("POST", "/api/v1/websites", {
    apiKey,
    body: { domain: "first.example.com" },
  });
  if (status !== 201) throw new Error(`A create was answered with ${status}: ${text}`);
}

async function createMeanwhile({ url }: TargetServer, { apiKey }: Account): Promise<string[]> {
  using client = createHttpClient(url);
  const create = async (afterMs: number) => {
    await sleep(afterMs);
    const startedAtMs = performance.now();
    const body = { domain: `other-${afterMs}.example.com`, privacy: 2, password: "correct horse" };
    const answer = await client.send("POST", "/api/v1/websites", { apiKey, body }).catch(() => undefined);
    const tookMs = Math.round(performance.now() - startedAtMs);
    const isFit = answer?.status === 201 || (answer?.status === 503 && answer.headers.has("retry-after"));
    if (!isFit) return [`A create of the other account got ${answer?.status ?? "no answer"} after ${tookMs} ms.`];
    return tookMs > maxCreateMs ? [`A create of the other account was answered only after ${tookMs} ms.`] : [];
  };
  const left = sleep(stayMs);
  const creating = Promise.all(createAtMs.map(create));
  // The clients leave on time, whether or not the other account has its answers.
  await left;
  return (
    (await Promise.race([creating, sleep(maxCreateMs)]))?.flat() ?? ["A create of the other account got no answer."]
  );
}

/** Waits until the number of stored websites stops changing. */
async function settle(database: Database): Promise<void> {
  const count = async () => Number((await database.query("select count(*) as count from websites"))[0]?.["count"]);
  for (let before = -1, now = await count(); now !== before; now = await count()) {
    before = now;
    await sleep(1_000);
  }
}

async function readStored(database: Database, { id }: Account): Promise<ReadonlySet<string>> {
  const stored = await readStoredWebsites(database);
  return new Set(stored.filter(({ accountId }) => accountId === id).map(({ domain }) => domain));
}
