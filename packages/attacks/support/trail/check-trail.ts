import { isDeepStrictEqual } from "node:util";
import type { Database, StoredRow } from "@siteward/testing/engines/database";
import { runOperator } from "@siteward/testing/servers/operate";

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
function readWebsite({ account_id: _, unicode_domain: __, ...row }: StoredRow): ReplayedWebsite {
  const { id: ___, version, created_at: createdAt, updated_at: updatedAt, password_hash: hash, ...columns } = row;
  const times = { version: Number(version), createdAt: Number(createdAt), updatedAt: Number(updatedAt) };
  const settings = Object.entries(columns).map(([name, value]) => [name, readSetting(value)]);
  return { ...times, hasPassword: hash !== null, settings: Object.fromEntries(settings) };
}

/** A list is stored as JSON. */
function readSetting(value: unknown): unknown {
  return typeof value === "string" && value.startsWith("[") ? JSON.parse(value) : value;
}

/** An entry as the operator's command `audit` prints it. */
interface TrailEntry {
  readonly at: string;
  readonly action: string;
  readonly subject: string;
  readonly subject_id: number;
  readonly version: number;
  /** Of a secret, it says only what happened to it. */
  readonly changes: Readonly<Record<string, FieldChange | ListChange | "set" | "cleared">>;
}

type FieldChange = Readonly<Record<"from" | "to", unknown>>;

interface ListChange {
  readonly added?: readonly unknown[];
  readonly removed?: readonly unknown[];
  /** The positions of the added entries in the list after the change. If there are none, they are its last entries. */
  readonly at?: readonly number[];
}

/** A website as its entries describe it. Times are milliseconds since 1970. */
interface ReplayedWebsite extends Readonly<Record<"version" | "createdAt" | "updatedAt", number>> {
  readonly hasPassword: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Replays a trail from its oldest entry on. Returns the websites that exist at its end, and what does not follow. */
function replayTrail(entries: readonly TrailEntry[]) {
  const websites = new Map<number, ReplayedWebsite>();
  const breaches: string[] = [];
  for (const entry of entries.filter(({ subject }) => subject === "website")) {
    const { action, subject_id: id, version } = entry;
    const before = websites.get(id);
    if ((before?.version ?? 0) !== version - 1) {
      breaches.push(`Website ${id} has version ${version} after ${before?.version ?? "no entry"} (${action}).`);
    }
    if (action === "website.deleted") websites.delete(id);
    else websites.set(id, changeWebsite(action === "website.created" ? undefined : before, entry, breaches));
  }
  return { websites, breaches };
}

function changeWebsite(before: ReplayedWebsite | undefined, entry: TrailEntry, breaches: string[]): ReplayedWebsite {
  const { password, ...fields } = entry.changes;
  const updatedAt = Date.parse(entry.at);
  const settings: Record<string, unknown> = { ...before?.settings };
  for (const [name, change] of Object.entries(fields)) {
    const from = settings[name] ?? null;
    if (typeof change === "object" && "from" in change && !isDeepStrictEqual(change.from, from)) {
      breaches.push(
        `Website ${entry.subject_id} had another ${name} before ${entry.version}: ${JSON.stringify(from)}.`,
      );
    }
    if (typeof change === "string") settings[name] = change;
    else settings[name] = "to" in change ? change.to : changeList(from, change);
  }
  const hasPassword = password === undefined ? before?.hasPassword === true : password === "set";
  return { version: entry.version, createdAt: before?.createdAt ?? updatedAt, updatedAt, hasPassword, settings };
}

function changeList(before: unknown, { added = [], removed = [], at }: ListChange): unknown[] {
  const after = (Array.isArray(before) ? before : []).filter((value) => !removed.includes(value));
  for (const [index, entry] of added.entries()) after.splice(at?.[index] ?? after.length, 0, entry);
  return after;
}
