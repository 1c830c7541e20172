import type { Siteward, Website } from "@siteward/sdk";
import { note } from "../output/notices.ts";
import type { Output } from "../output/output.ts";
import type { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import { evenIfUnread } from "../process/write-error.ts";
import type { Change } from "../sync/decide.ts";
import { argumentPolicy } from "../sync/policy.ts";
import { errorOfRun } from "../sync/report.ts";
import { run } from "../sync/run.ts";

/** Websites of a command line to create or to update. */
interface SeveralChanges {
  readonly changes: readonly Change[];
  /** What is done: "Updating", and once it is done: "Updated". */
  readonly words: readonly [doing: string, done: string];
  /** How to do the rest after a failure, as a sentence. */
  readonly again: string;
  readonly retries: number | undefined;
  /** The error if some or all of them exist already. */
  readonly refused?: (which: "some" | "all", counts: string) => CliError;
}

/** Creates or updates several websites in order, and prints those that are, also before a failure. */
export async function changeSeveral(
  io: Io,
  siteward: Siteward,
  output: Output,
  { changes, retries, words: [label, done], ...ending }: SeveralChanges,
): Promise<void> {
  const websites: Website[] = [];
  const onWebsite = (website: Website) => websites.push(website);
  const results = await run(io, siteward, changes, { label, policy: argumentPolicy(), retries, onWebsite });
  if (websites.length > 0) await evenIfUnread(output.list(websites));
  const error = errorOfRun(results, { ...ending, namesRest: true });
  if (error !== undefined) throw error;
  await note(io, `${done} ${websites.length} websites.`);
}
