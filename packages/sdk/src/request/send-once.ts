import type { HttpAnswer } from "../answer/answer.ts";
import type { Fetch } from "../options/siteward-options.ts";
import { type Redact, redactHeaders } from "./redact.ts";
import { toConnectionError } from "./to-connection-error.ts";
import { withDeadline } from "./with-deadline.ts";

/** A request as it is sent. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | null;
}

/** What one attempt needs besides the request. */
export interface SendOnceOptions {
  readonly fetch: Fetch;
  readonly redact: Redact;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs one attempt: sends the request and reads the entire response, whatever its status.
 *
 * Redirects are not followed, not even within the origin: the key is sent only to `baseUrl`, a redirected POST would
 * become a GET, and a wrong `baseUrl` would cost two requests each time without anyone noticing.
 *
 * @throws ConnectionError, TimeoutError, AbortError
 */
export async function sendOnce(httpRequest: HttpRequest, options: SendOnceOptions): Promise<HttpAnswer> {
  const { fetch, redact } = options;
  const { url, ...init } = httpRequest;
  const endpoint = describeEndpoint(httpRequest);
  return await withDeadline(endpoint, options, async (signal) => {
    try {
      const response = await fetch(url, { ...init, redirect: "manual", signal });
      const text = redact(await response.text());
      return { endpoint, status: response.status, headers: redactHeaders(response.headers, redact), text };
    } catch (error) {
      throw toConnectionError(endpoint, error, redact);
    }
  });
}

function describeEndpoint({ method, url }: HttpRequest): string {
  return `${method} ${url.replace(/\?.*$/s, "")}`;
}
