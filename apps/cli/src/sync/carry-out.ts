import type { Siteward } from "@siteward/sdk";
import type { Io } from "../process/io.ts";
import { announcedInterruption } from "../progress/announced-interruption.ts";
import { startProgress } from "../progress/start-progress.ts";
import type { Decision } from "./change.ts";
import { type Run, type RunOptions, runChanges } from "./run-changes.ts";

/** How decisions are carried out. */
interface CarryOutOptions extends Omit<RunOptions, "signal" | "onResult"> {
  /** What is being done, such as "Importing". */
  readonly label: string;
}

/**
 * Does what was decided, and shows the progress. At the first interruption, what was sent is finished, and nothing else
 * starts.
 */
export async function carryOut(
  io: Io,
  siteward: Siteward,
  decisions: readonly Decision[],
  { label, ...options }: CarryOutOptions,
): Promise<Run> {
  using progress = startProgress(io, { label, total: decisions.length });
  using takeover = announcedInterruption(io).takeOver();
  const { signal } = takeover;
  return await runChanges(siteward, decisions, { ...options, signal, onResult: () => progress.advance() });
}
