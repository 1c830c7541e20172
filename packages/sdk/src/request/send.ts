import { type Answer, createApiError, readText } from "../answer/answer.ts";
import { AbortError, addCall, type CallContext, SitewardError, TimeoutError } from "../errors/siteward-error.ts";
import { type AnyCallOptions, type ResolvedCallOptions, resolveCallOptions } from "../options/call-options.ts";
import { createKey } from "../options/create-key.ts";
import { notify } from "../options/hooks.ts";
import type { ResolvedSitewardOptions } from "../options/siteward-options.ts";
import { readRateLimit } from "../response-headers.ts";
import { decideRetryDelayMs, didNothing, isRefusal } from "../retry/retry-rule.ts";
import { withDeadline } from "../retry/with-deadline.ts";
import { type ApiRequest, buildRequest, type HttpRequest } from "./build-request.ts";
import { toConnectionError } from "./connection-error.ts";

/** Sends a request, retries it if that is safe, and returns the response that succeeded. */
export type Send = (apiRequest: ApiRequest, options?: AnyCallOptions) => Promise<Answer>;

/** Creates the function that every operation sends its requests with. */
export function createSend(client: ResolvedSitewardOptions): Send {
  return async function send(apiRequest, callOptions = {}) {
    const options = resolveCallOptions(callOptions, apiRequest.route.method, client);
    const request = buildRequest(apiRequest, options);
    // Lets the service recognize the retries of the same call.
    if (request.method === "POST") request.headers["idempotency-key"] ??= createKey();
    return await new Call(options, request).run();
  };
}

/** One call with all its attempts. */
class Call {
  readonly #options: ResolvedCallOptions;
  readonly #request: HttpRequest;
  readonly #startMs = Date.now();
  #attempts = 0;
  /** How many of the attempts were refused by the limit of the API key. */
  #refusals = 0;
  /** The error of the last attempt on which the service may have acted. It never acts on a GET. */
  #uncertain: SitewardError | undefined;

  constructor(options: ResolvedCallOptions, request: HttpRequest) {
    this.#options = options;
    this.#request = request;
  }

  /** Returns the response that succeeded. Runs once. */
  async run(): Promise<Answer> {
    try {
      return await this.#attemptUntilDone();
    } catch (error) {
      if (!(error instanceof SitewardError)) throw error;
      // The error of the `waitSignal` says only that nothing is sent any more.
      const isWaitEnded = error instanceof AbortError && this.#options.signal?.aborted !== true;
      throw addCall(isWaitEnded ? (this.#uncertain ?? error) : error, this.#context());
    }
  }

  async #attemptUntilDone(): Promise<Answer> {
    const { line, maxConcurrent, waitSignal } = this.#options;
    for (;;) {
      await line.enter({ isRetry: this.#attempts > 0, maxConcurrent, signal: waitSignal });
      let delayMs: number | undefined;
      try {
        return await this.#attempt();
      } catch (error) {
        delayMs = this.#prepareRetry(error);
      } finally {
        line.leave();
      }
      if (delayMs !== undefined) await withDeadline({ delayMs, signal: waitSignal });
    }
  }

  async #attempt(): Promise<Answer> {
    const { timeoutMs, signal, maxResponseBytes } = this.#options;
    const { method, url } = this.#request;
    const onTime = (): Error => new TimeoutError(`${method} ${url} took longer than ${timeoutMs} ms.`, timeoutMs);
    const answer = await withDeadline({ delayMs: timeoutMs, signal, onTime }, (ended) => this.#exchange(ended));
    if (answer.isTooLarge) throw createApiError(answer, `more than ${maxResponseBytes} bytes`);
    if (answer.isSuccess) return answer;
    const error = createApiError(answer);
    // An earlier attempt may have deleted it. Without one, a wrong ID would look like a deleted website. Only a 404 of
    // the service says so: a proxy's proves nothing, and with a 412 the record exists, so no attempt deleted it.
    if (this.#uncertain !== undefined && method === "DELETE" && error.code === "not_found") return answer;
    throw error;
  }

  /**
   * Sends the request and reads the entire response. Redirects are not followed: the key is sent only to `baseUrl`.
   */
  async #exchange(signal: AbortSignal): Promise<Answer> {
    const { method, url, target, headers, body, redact } = this.#request;
    const { fetch, maxResponseBytes, hooks, line } = this.#options;
    const endpoint = `${method} ${url}`;
    // Lets the server's log tell a retry from a second request.
    if (this.#attempts > 0) headers["x-siteward-retry-count"] = String(this.#attempts);
    this.#attempts += 1;
    const event = { method, url, attempt: this.#attempts };
    notify(hooks.onRequest, event);
    const startMs = Date.now();
    try {
      const response = await fetch(target, { method, headers, body, redirect: "manual", signal });
      const text = await readText(response, maxResponseBytes);
      const { status } = response;
      const answer = {
        endpoint,
        status,
        isSuccess: status >= 200 && status < 300,
        isTooLarge: text === undefined,
        text: redact(text ?? ""),
        call: this.#context(),
        readHeaders: () => new Headers([...response.headers].map(([name, value]) => [name, redact(value)])),
      };
      // The fetch may have ignored that the attempt ended.
      if (!signal.aborted) {
        const rateLimit = readRateLimit(response.headers);
        if (answer.isSuccess) line.note(rateLimit);
        // Not from the copy of the headers that a caller gets, which would be made for each response.
        const requestId = redact(response.headers.get("x-request-id") ?? "") || undefined;
        notify(hooks.onResponse, { ...event, status, durationMs: Date.now() - startMs, requestId, rateLimit });
      }
      return answer;
    } catch (error) {
      throw toConnectionError(endpoint, error, redact);
    }
  }

  /**
   * Returns how long the call waits before it enters the line again, in milliseconds. Undefined if it waits there, with
   * all others, because of the limit of the API key.
   *
   * @throws the error that the call fails with, if it is not retried
   */
  #prepareRetry(error: unknown): number | undefined {
    if (!(error instanceof SitewardError)) throw error;
    const { method, url } = this.#request;
    const { maxRetries, hooks, line } = this.#options;
    const refusalCount = this.#refusals;
    const retryCount = this.#attempts - 1 - refusalCount;
    const delayMs = decideRetryDelayMs(error, { retryCount, refusalCount, maxRetries }, Math.random);
    // If an earlier attempt may have acted, a refused connection must not say that nothing was sent.
    if (delayMs === undefined) throw didNothing(error) ? (this.#uncertain ?? error) : error;
    if (method !== "GET" && !didNothing(error)) this.#uncertain = error;
    notify(hooks.onRetry, { method, url, attempt: this.#attempts, error, delayMs });
    if (!isRefusal(error)) return delayMs;
    this.#refusals += 1;
    line.pause(delayMs, error.rateLimit);
    return undefined;
  }

  #context(): CallContext {
    const { method, path } = this.#request;
    return { method, path, attempts: this.#attempts, elapsedMs: Date.now() - this.#startMs };
  }
}
