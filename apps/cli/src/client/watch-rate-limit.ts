import { toKeyPrefix } from "@siteward/contract/api-key";
import type { RateLimit, ResponseEvent, RetryEvent } from "@siteward/sdk";
import { warn } from "../output/notices.ts";
import type { OutputFlags } from "../output/output.ts";
import type { Io } from "../process/io.ts";
import { noteRefusal, noteRequestLimit } from "../progress/request-limit.ts";

/** Remembers the rate limit of the API key for the progress, and says once that requests wait for it. */
interface RateLimitWatch {
  readonly onResponse: (event: ResponseEvent) => void;
  readonly onRetry: (event: RetryEvent) => Promise<void>;
}

/** Creates the watch of a client. */
export function watchRateLimit(io: Io, flags: OutputFlags, apiKey: string): RateLimitWatch {
  let latest: RateLimit | undefined;
  let isSaid = false;
  return {
    onResponse: ({ rateLimit }) => {
      latest = rateLimit;
      if (rateLimit !== undefined) noteRequestLimit(rateLimit);
    },
    onRetry: async ({ error }) => {
      if (error.code !== "rate_limited") return;
      noteRefusal();
      if (isSaid) return;
      isSaid = true;
      await warn(io, flags, describeWait(latest, toKeyPrefix(apiKey)));
    },
  };
}

function describeWait(rateLimit: RateLimit | undefined, keyPrefix: string): string {
  if (rateLimit === undefined) return "The service limits the requests, so this command waits for it.";
  const { limit } = rateLimit;
  const raised = `siteward-server keys update ${keyPrefix} --rate-limit NUMBER`;
  return (
    `The limit of the API key is ${limit.toLocaleString("en-US")} requests a minute, so this command waits for it. ` +
    `The operator of the service can raise the limit with \`${raised}\`.`
  );
}
