import type { RetryEvent } from "@siteward/sdk";
import { warn } from "../output/notices.ts";
import type { OutputFlags } from "../output/output.ts";
import type { Io } from "../process/io.ts";

/** A service that is only busy asks for 1 or 2 seconds. One whose database is read-only asks for 5. */
const minExplainedMs = 5_000;

/**
 * Creates what says once why the command waits before it retries, if that takes long. Without it, an import into a
 * read-only database said nothing for 31 s. It retries nevertheless: the service asks for that, because a database that
 * fails over is read-only for some seconds.
 */
export function explainWait(io: Io, flags: OutputFlags): (event: RetryEvent) => Promise<void> {
  let isSaid = false;
  return async ({ error }) => {
    if (isSaid || error.code === "rate_limited") return;
    const { isApiError } = await import("@siteward/sdk");
    // The wait itself has a random part, so it says less than what the service asks for.
    if (isSaid || !isApiError(error) || (error.retryAfterMs ?? 0) < minExplainedMs) return;
    isSaid = true;
    const reason = error.detail === "" ? error.message : error.detail;
    await warn(io, flags, `${reason} This command waits and retries. To get the error at once, use --retries 0.`);
  };
}
