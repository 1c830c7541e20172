import type { Answer } from "../answer/answer.ts";
import { createApiError } from "../answer/create-api-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import { isAlreadyDeleted } from "../retry/retry-rule.ts";
import { withDeadline } from "../retry/with-deadline.ts";
import type { Call } from "./call.ts";
import { createRedact, redactHeaders } from "./redact.ts";
import { toConnectionError } from "./to-connection-error.ts";

/**
 * Runs the next attempt of a call: sends the request and reads the entire response, whatever its status.
 *
 * Redirects are not followed, not even within the origin: the key is sent only to `baseUrl`, a redirected POST would
 * become a GET, and a wrong `baseUrl` would cost two requests each time without anyone noticing.
 *
 * @throws ApiError, ConnectionError, TimeoutError, AbortError
 */
export async function sendOnce(call: Call): Promise<Answer> {
  const { request, uncertain } = call;
  // Lets the server's log tell a retry from a second request.
  if (call.attempts > 0) request.headers["x-siteward-retry-count"] = String(call.attempts);
  call.attempts += 1;
  const answer = await exchange(call);
  if (answer.status >= 200 && answer.status < 300) return answer;
  const error = createApiError(answer);
  if (isAlreadyDeleted(request.method, error, uncertain !== undefined)) return answer;
  throw error;
}

function exchange({ client, timing, options, request, attempts }: Call): Promise<Answer> {
  const { method, url, headers, body } = request;
  const { timeoutMs, signal } = options;
  const endpoint = `${method} ${url.replace(/\?.*$/s, "")}`;
  const redact = createRedact(client.apiKey);
  const onTime = (): Error => new TimeoutError(`${endpoint} took longer than ${timeoutMs} ms.`, timeoutMs);
  return withDeadline({ delayMs: timeoutMs, signal, onTime }, async (taskSignal) => {
    try {
      const response = await client.fetch(url, { method, headers, body, redirect: "manual", signal: taskSignal });
      const text = redact(await response.text());
      return {
        endpoint,
        status: response.status,
        headers: redactHeaders(response.headers, redact),
        text,
        receivedMs: timing.nowMs(),
        retryCount: attempts - 1,
      };
    } catch (error) {
      throw toConnectionError(endpoint, error, redact);
    }
  });
}
