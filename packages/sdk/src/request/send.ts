import type { Answer } from "../answer/answer.ts";
import { type AnyCallOptions, resolveCallOptions } from "../options/call-options.ts";
import type { ResolvedSitewardOptions } from "../options/siteward-options.ts";
import type { Timing } from "../retry/timing.ts";
import { type ApiRequest, buildRequest } from "./build-request.ts";
import type { Call } from "./call.ts";
import { sendOnce } from "./send-once.ts";
import { waitForRetry } from "./wait-for-retry.ts";

/** Sends a request, retries it if that is safe, and returns the response that succeeded. */
export type Send = (apiRequest: ApiRequest, options?: AnyCallOptions) => Promise<Answer>;

/** Creates the function that every operation sends its requests with. */
export function createSend(client: ResolvedSitewardOptions, timing: Timing): Send {
  return async function send(apiRequest, options = {}) {
    const resolved = resolveCallOptions(options, client);
    const request = buildRequest(apiRequest, client, resolved.headers);
    // Lets the service recognize the retries of the same call.
    if (request.method === "POST") request.headers["idempotency-key"] ??= timing.uuid();
    const call: Call = { client, timing, options: resolved, request, attempts: 0, uncertain: undefined };
    for (;;) {
      try {
        return await sendOnce(call);
      } catch (error) {
        await waitForRetry(call, error);
      }
    }
  };
}
