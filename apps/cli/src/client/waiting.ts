import type { Fetch, RetryEvent } from "@siteward/sdk";
import type { Io } from "../process/io.ts";
import { startProgress } from "../progress/start-progress.ts";

/** Shows on a terminal that the service takes long to answer, and that the CLI waits before it retries. */
interface Waiting {
  /** Returns a `fetch` that shows its wait for the response. */
  readonly wrap: (send: Fetch) => Fetch;
  readonly onRetry: (event: RetryEvent) => void;
}

/** Creates what shows the waits of a client. */
export function createWaiting(io: Io, baseUrl: string): Waiting {
  const { host } = new URL(baseUrl);
  return {
    wrap: (send) => async (url, init) => {
      const progress = startProgress(io, { label: `Waiting for ${host}` });
      try {
        return await send(url, init);
      } finally {
        progress[Symbol.dispose]();
      }
    },
    onRetry: ({ delayMs }) => {
      const progress = startProgress(io, { label: `Waiting for ${host}, to retry in ${Math.ceil(delayMs / 1000)} s` });
      setTimeout(() => progress[Symbol.dispose](), delayMs).unref();
    },
  };
}
