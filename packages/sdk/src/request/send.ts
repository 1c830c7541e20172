import type { Answer } from "../answer/answer.ts";
import { toApiError } from "../answer/to-api-error.ts";
import { type AnyCallOptions, resolveCallOptions } from "../options/call-options.ts";
import type { ResolvedSitewardOptions } from "../options/siteward-options.ts";
import { type AttemptHistory, isAlreadyDeleted } from "../retry/retry-rule.ts";
import type { Timing } from "../retry/timing.ts";
import { withRetries } from "../retry/with-retries.ts";
import { type ApiRequest, buildRequest } from "./build-request.ts";
import { createRedact } from "./redact.ts";
import { sendOnce } from "./send-once.ts";

/** Sends a request, retries it if that is safe, and returns the response that succeeded. */
export type Send = (apiRequest: ApiRequest, options?: AnyCallOptions) => Promise<Answer>;

/** Creates the function that every operation sends its requests with. */
export function createSend(client: ResolvedSitewardOptions, timing: Timing): Send {
  const redact = createRedact(client.apiKey);

  return async function send(apiRequest, options = {}) {
    const { maxRetries, headers, ...limits } = resolveCallOptions(options, client);
    const httpRequest = buildRequest(apiRequest, client, headers);
    const { method } = httpRequest;
    // Lets the service recognize the retries of the same call.
    if (method === "POST" && !httpRequest.headers.has("idempotency-key")) {
      httpRequest.headers.set("idempotency-key", timing.uuid());
    }

    const attempt = async (history: AttemptHistory): Promise<Answer> => {
      // Lets the server's log tell a retry from a second request.
      if (history.retryCount > 0) httpRequest.headers.set("x-siteward-retry-count", String(history.retryCount));
      const received = await sendOnce(httpRequest, { fetch: client.fetch, redact, ...limits });
      const answer = { ...received, retryCount: history.retryCount };
      if (answer.status >= 200 && answer.status < 300) return answer;
      const error = toApiError(answer, timing.nowMs());
      if (isAlreadyDeleted(method, error, history)) return answer;
      throw error;
    };
    return await withRetries(attempt, { method, maxRetries, signal: limits.signal }, timing);
  };
}
