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

/** An entry as the operator's command `audit` prints it. */
interface TrailEntry {
  readonly at: string;
  readonly action: string;
  readonly subject: string;
  readonly subject_id: number;
  readonly version: number;
  readonly changes: Readonly<Record<string, TrailChange>>;
}

/** What an entry says of a field. Of a secret, it says only what happened to it. */
type TrailChange = FieldChange | ListChange | "set" | "cleared";

interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

interface ListChange {
  readonly added?: readonly unknown[];
  readonly removed?: readonly unknown[];
  /** The positions of the added entries in the list after the change. If there are none, they are its last entries. */
  readonly at?: readonly number[];
}

/** A website as its entries describe it. */
interface ReplayedWebsite {
  readonly id: number;
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly hasPassword: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What a trail says about the websites of an account. */
interface Replay {
  /** The websites that exist at its end, by ID. */
  readonly websites: Map<number, ReplayedWebsite>;
  /** Entries that do not follow from those before them, one line each. */
  readonly breaches: string[];
}

/** Replays a trail from its oldest entry on. */
function replayTrail(entries: readonly TrailEntry[]): Replay {
  const replay: Replay = { websites: new Map(), breaches: [] };
  for (const entry of entries) if (entry.subject === "website") replayEntry(replay, entry);
  return replay;
}

function replayEntry({ websites, breaches }: Replay, entry: TrailEntry): void {
  const { action, subject_id: id, version } = entry;
  const before = websites.get(id);
  if ((before?.version ?? 0) !== version - 1) {
    breaches.push(`Website ${id} has version ${version} after ${before?.version ?? "no entry"} (${action}).`);
  }
  if (action === "website.deleted") websites.delete(id);
  else websites.set(id, changeWebsite(action === "website.created" ? undefined : before, entry, breaches));
}

function changeWebsite(before: ReplayedWebsite | undefined, entry: TrailEntry, breaches: string[]): ReplayedWebsite {
  const { subject_id: id, version, changes } = entry;
  const { password, ...fields } = changes;
  const atMs = Date.parse(entry.at);
  const settings: Record<string, unknown> = { ...before?.settings };
  for (const [name, change] of Object.entries(fields)) {
    const from = settings[name] ?? null;
    if (typeof change === "object" && "from" in change && !isDeepStrictEqual(change.from, from)) {
      breaches.push(`Website ${id} at version ${version} had another ${name} before: ${JSON.stringify(from)}.`);
    }
    settings[name] = changeField(from, change);
  }
  const hasPassword = password === undefined ? before?.hasPassword === true : password === "set";
  return { id, version, createdAt: before?.createdAt ?? atMs, updatedAt: atMs, hasPassword, settings };
}

function changeField(before: unknown, change: TrailChange): unknown {
  if (typeof change === "string") return change;
  return "to" in change ? change.to : changeList(Array.isArray(before) ? before : [], change);
}

function changeList(before: readonly unknown[], { added = [], removed = [], at }: ListChange): unknown[] {
  const after = before.filter((value) => !removed.includes(value));
  if (at === undefined) return [...after, ...added];
  for (const [index, position] of at.entries()) after.splice(position, 0, added[index]);
  return after;
}
