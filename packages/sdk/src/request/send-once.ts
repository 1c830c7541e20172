import type { HttpAnswer } from "../answer/answer.ts";
import type { Fetch } from "../options/siteward-options.ts";
import { toConnectionError } from "./to-connection-error.ts";
import { withDeadline } from "./with-deadline.ts";

/** A request as it goes over the wire. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** How an attempt is made. */
export interface SendMeans {
  readonly fetch: Fetch;
  /** Takes the API key out of a text. */
  readonly redact: (text: string) => string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes one attempt: sends the request and reads the whole answer, whatever its status.
 *
 * Redirects are not followed, not even within the origin: the key goes nowhere but to `baseUrl`, a redirected POST would
 * turn into a GET, and a wrong `baseUrl` would cost two requests each time without anyone noticing.
 *
 * @throws ConnectionError, TimeoutError, AbortError
 */
export async function sendOnce(httpRequest: HttpRequest, means: SendMeans): Promise<HttpAnswer> {
  const { url, ...init } = httpRequest;
  const place = describePlace(httpRequest);
  return await withDeadline(place, means, async (signal) => {
    try {
      const response = await means.fetch(url, { ...init, body: init.body ?? null, redirect: "manual", signal });
      const text = await response.text();
      return {
        status: response.status,
        headers: redactHeaders(response.headers, means.redact),
        text: means.redact(text),
      };
    } catch (error) {
      throw toConnectionError(place, error, means.redact);
    }
  });
}

/** Method and address for a message, without the query, which may hold what the user searches for. */
export function describePlace({ method, url }: HttpRequest): string {
  return `${method} ${url.replace(/\?.*$/s, "")}`;
}

function redactHeaders(headers: Headers, redact: (text: string) => string): Headers {
  const redacted = new Headers();
  headers.forEach((value, name) => {
    redacted.append(name, redact(value));
  });
  return redacted;
}
