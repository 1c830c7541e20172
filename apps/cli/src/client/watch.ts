import { type Fetch, isApiError, type RetryEvent } from "@siteward/sdk";
import { warn } from "../output/notices.ts";
import type { OutputFlags } from "../output/output.ts";
import { startProgress } from "../output/progress.ts";
import type { Io } from "../process/io.ts";

/** Returns a `fetch` that shows on a terminal that the service takes long to answer. */
export function showWaits(io: Io, baseUrl: string, send: Fetch): Fetch {
  const label = `Waiting for ${new URL(baseUrl).host}`;
  return async (url, init) => {
    using _progress = startProgress(io, { label });
    return await send(url, init);
  };
}

/**
 * Creates what says once why requests wait before they are sent again: for the rate limit, or because the service asks for a long
 * wait. Without it, an import into a read-only database said nothing for 31 s.
 */
export function explainWaits(io: Io, flags: OutputFlags): (event: RetryEvent) => Promise<void> {
  const said = new Set<string>();
  return async ({ error }) => {
    if (!isApiError(error) || said.has(error.code)) return;
    if (error.code !== "rate_limited" && (error.retryAfterMs ?? 0) < minExplainedMs) return;
    said.add(error.code);
    const reason = error.detail === "" ? error.message : error.detail;
    await warn(io, flags, `${reason} This command waits and retries. To get the error at once, use --retries 0.`);
  };
}

/** A service that is only busy asks for 1 or 2 seconds. One whose database is read-only asks for 5. */
const minExplainedMs = 5_000;
