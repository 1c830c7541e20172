import { isDeepStrictEqual } from "node:util";
import type { Database, StoredRow } from "@siteward/testing/engines/database";
import { runOperator } from "@siteward/testing/servers/operate";
import { type ReplayedWebsite, replayTrail, type TrailEntry } from "./replay-trail.ts";

export interface CheckedTrail {
  /** How many entries it has. */
  readonly entries: number;
  readonly violations: readonly string[];
}

/** Replays the audit trail of an account from the beginning, and compares the result with the records that the engine stores. */
export async function checkTrail(database: Database, accountId: number): Promise<CheckedTrail> {
  const trail = await readTrail(database.url, accountId);
  const { websites, breaches } = replayTrail(trail);
  const rows = await database.query(`select * from websites where account_id = ${accountId}`);
  const stored = new Map(rows.map((row) => [Number(row["id"]), readWebsite(row)]));
  const ids = [...new Set([...websites.keys(), ...stored.keys()])];
  const different = ids.filter((id) => !isDeepStrictEqual(websites.get(id), stored.get(id)));
  const violations = [
    ...breaches.map((breach) => `The trail of account ${accountId}: ${breach}`),
    ...different.map((id) => {
      const [replayed, kept] = [websites, stored].map((all) => JSON.stringify(all.get(id)) ?? "nothing");
      return `The trail of account ${accountId} gives ${replayed} for website ${id}, but the engine stores ${kept}.`;
    }),
  ];
  return { entries: trail.length, violations };
}

/** Reads the entire audit trail of an account with the operator's command, the oldest entry first. */
async function readTrail(databaseUrl: string, accountId: number): Promise<TrailEntry[]> {
  const printed = await runOperator(databaseUrl, ["audit", "--account", String(accountId), "--ndjson"]);
  const lines = printed.split("\n").filter((line) => line !== "");
  return lines.map((line): TrailEntry => JSON.parse(line)).toReversed();
}

/** All columns but these are settings. */
function readWebsite({
  account_id: _,
  unicode_domain: __,
  id,
  version,
  created_at: createdAt,
  updated_at: updatedAt,
  password_hash: passwordHash,
  ...columns
}: StoredRow): ReplayedWebsite {
  const settings = Object.entries(columns).map(([name, value]) => [name, readSetting(value)]);
  return {
    id: Number(id),
    version: Number(version),
    createdAt: Number(createdAt),
    updatedAt: Number(updatedAt),
    hasPassword: passwordHash !== null,
    settings: Object.fromEntries(settings),
  };
}

/** A list is stored as JSON. */
function readSetting(value: unknown): unknown {
  return typeof value === "string" && value.startsWith("[") ? JSON.parse(value) : value;
}
