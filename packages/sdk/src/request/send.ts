import type { Answer } from "../answer/answer.ts";
import { type AnyCallOptions, resolveCallOptions } from "../options/call-options.ts";
import type { ResolvedSitewardOptions } from "../options/siteward-options.ts";
import type { Line } from "../retry/line.ts";
import type { Timing } from "../retry/timing.ts";
import { type ApiRequest, buildRequest } from "./build-request.ts";
import { Call } from "./call.ts";

/** Sends a request, retries it if that is safe, and returns the response that succeeded. */
export type Send = (apiRequest: ApiRequest, options?: AnyCallOptions) => Promise<Answer>;

/**
 * Creates the function that every operation sends its requests with.
 *
 * @param findLine is called for each request, because a copy of a client gets the line of the client after it is created
 */
export function createSend(client: ResolvedSitewardOptions, timing: Timing, findLine: () => Line): Send {
  return async function send(apiRequest, callOptions = {}) {
    const options = resolveCallOptions(callOptions, apiRequest.route.method, client);
    const request = buildRequest(apiRequest, client, options.headers);
    // Lets the service recognize the retries of the same call.
    if (request.method === "POST") request.headers["idempotency-key"] ??= timing.uuid();
    return await new Call({ client, timing, line: findLine() }, options, request).run();
  };
}
