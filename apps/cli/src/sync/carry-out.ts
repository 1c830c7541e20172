import type { Io } from "../process/io.ts";
import { announcedInterruption } from "../progress/announced-interruption.ts";
import { startProgress } from "../progress/start-progress.ts";
import type { Run, RunOptions } from "./run-all.ts";

/** What is done, such as "Importing", and with how many websites. */
interface Task {
  readonly label: string;
  readonly total: number;
}

/**
 * Carries out a run, and shows its progress. At the first interruption, what is on its way is finished, and nothing else
 * is sent.
 */
export async function carryOut(
  io: Io,
  task: Task,
  run: (live: Omit<RunOptions, "parallel">) => Promise<Run>,
): Promise<Run> {
  using progress = startProgress(io, task);
  using takeover = announcedInterruption(io).takeOver();
  return await run({ signal: takeover.signal, onResult: () => progress.advance() });
}
