import { runCommand } from "../servers/operate.ts";

/** An entry as the operator's command `audit` prints it. */
export interface TrailEntry {
  readonly at: string;
  readonly action: string;
  readonly subject: string;
  readonly subject_id: number;
  readonly version: number;
  readonly changes: Readonly<Record<string, TrailChange>>;
}

/** What an entry says of a field. Of a secret, it says only what happened to it. */
export type TrailChange = FieldChange | ListChange | "set" | "cleared";

interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

export interface ListChange {
  readonly added?: readonly unknown[];
  readonly removed?: readonly unknown[];
  /** The positions of the added entries in the list after the change. If there are none, they are its last entries. */
  readonly at?: readonly number[];
}

/** Reads the entire audit trail of an account with the operator's command, the oldest entry first. */
export async function readTrail(serverBin: string, databaseUrl: string, accountId: number): Promise<TrailEntry[]> {
  const printed = await runCommand(serverBin, databaseUrl, ["audit", "--account", String(accountId), "--ndjson"]);
  const lines = printed.split("\n").filter((line) => line !== "");
  return lines.map((line): TrailEntry => JSON.parse(line)).toReversed();
}
