import { type Fetch, isApiError, type RetryEvent } from "@siteward/sdk";
import { safeText } from "@siteward/start/safe-text";
import { warn } from "../output/notices.ts";
import { startProgress } from "../output/progress.ts";
import { type Io, writeMessage } from "../process/io.ts";

/** Returns a `fetch` that shows on a terminal that the service takes long to answer. */
export function showWaits(io: Io, baseUrl: string, send: Fetch): Fetch {
  const label = `Waiting for ${new URL(baseUrl).host}`;
  return async (url, init) => {
    using _progress = startProgress(io, { label });
    return await send(url, init);
  };
}

/**
 * Creates what says once why requests wait: for the rate limit, because the service asks for it, or because it is away.
 * Without it, an import into a read-only database said nothing for 31 s.
 */
export function explainWaits(io: Io): (event: RetryEvent) => Promise<void> {
  const said = new Set<string>();
  return async ({ error, attempt }) => {
    const isRefused = isApiError(error);
    const isLong = attempt >= minExplainedAttempts || (isRefused && (error.retryAfterMs ?? 0) >= minExplainedMs);
    if (said.has(error.code) || !(isLong || error.code === "rate_limited")) return;
    said.add(error.code);
    const reason = isRefused && error.detail !== "" ? error.detail : error.message;
    await warn(io, `${reason} This command waits and retries. To get the error at once, use --retries 0.`);
  };
}

/** A service that is only busy asks for 1 or 2 seconds. One whose database is read-only asks for 5. */
const minExplainedMs = 5_000;
/** These take a few seconds. A shorter pause of a network explains nothing. */
const minExplainedAttempts = 4;

/** Prints each request, response and retry on stderr: no body, no API key and no cookie. */
export function createTrace(io: Io, apiKey: string) {
  const print = (mark: string, text: string, headers: readonly Header[] = []): Promise<void> => {
    const lines = [
      text,
      ...headers.map(([name, value]) => `${name}: ${secretHeaders.includes(name) ? "[hidden]" : value}`),
    ];
    const marked = lines.map((line) => `${mark} ${safeText(line.replaceAll(apiKey, "[API key]"))}\n`);
    return writeMessage(io, marked.join(""));
  };
  return {
    /** Returns a `fetch` that prints what is sent and received. */
    wrap:
      (send: Fetch): Fetch =>
      async (url, init) => {
        await print(">", `${init.method} ${url}`, Object.entries(init.headers));
        const startMs = performance.now();
        const elapsed = (): string => `after ${Math.round(performance.now() - startMs)} ms`;
        try {
          const response = await send(url, init);
          await print("<", `${response.status} ${elapsed()}`, [...response.headers]);
          return response;
        } catch (error) {
          await print("<", `No response ${elapsed()}: ${error instanceof Error ? error.message : String(error)}`);
          throw error;
        }
      },
    onRetry: ({ error: { code }, delayMs }: RetryEvent) => print("<", `Retrying in ${delayMs} ms after ${code}`),
  };
}

type Header = readonly [name: string, value: string];

const secretHeaders = ["authorization", "cookie", "proxy-authorization", "set-cookie"];
