import type { Answer } from "../answer/answer.ts";
import { createApiError } from "../answer/create-api-error.ts";
import { readText } from "../answer/read-text.ts";
import { AbortError } from "../errors/abort-error.ts";
import { addCall, type CallContext } from "../errors/add-call.ts";
import { SitewardError } from "../errors/siteward-error.ts";
import { TimeoutError } from "../errors/timeout-error.ts";
import { readRateLimit } from "../headers/rate-limit.ts";
import type { Events, RequestEvent } from "../hooks/hooks.ts";
import type { ResolvedCallOptions } from "../options/call-options.ts";
import type { ResolvedSitewardOptions } from "../options/siteward-options.ts";
import type { Entering, Line } from "../retry/line.ts";
import { chooseError, decideRetryDelayMs, isAlreadyDeleted, isRefusal, mayHaveActed } from "../retry/retry-rule.ts";
import type { Timing } from "../retry/timing.ts";
import { withDeadline } from "../retry/with-deadline.ts";
import type { HttpRequest } from "./build-request.ts";
import { redactHeaders } from "./redact.ts";
import { toConnectionError } from "./to-connection-error.ts";

/** What the calls of a client share. */
export interface CallEnvironment {
  readonly client: ResolvedSitewardOptions;
  readonly timing: Timing;
  /** In it, a call waits until it may send. */
  readonly line: Line;
}

/** One call with all its attempts. */
export class Call {
  readonly #client: ResolvedSitewardOptions;
  readonly #timing: Timing;
  readonly #line: Line;
  readonly #place: Entering;
  readonly #options: ResolvedCallOptions;
  readonly #request: HttpRequest;
  readonly #startMs: number;
  #attempts = 0;
  /** How many of the attempts were refused by the limit of the API key. */
  #refusals = 0;
  /** The error of the last attempt on which the service may have acted. */
  #uncertain: SitewardError | undefined;

  constructor({ client, timing, line }: CallEnvironment, options: ResolvedCallOptions, request: HttpRequest) {
    this.#client = client;
    this.#timing = timing;
    this.#line = line;
    this.#place = { number: line.takeNumber(), maxConcurrent: client.maxConcurrent, signal: options.waitSignal };
    this.#options = options;
    this.#request = request;
    this.#startMs = timing.nowMs();
  }

  /** Returns the response that succeeded. Runs once. */
  async run(): Promise<Answer> {
    try {
      const answer = await this.#attemptUntilDone();
      this.#notify("onEnd", () => ({ status: answer.status, elapsedMs: this.#context().elapsedMs }));
      return answer;
    } catch (thrown) {
      if (!(thrown instanceof SitewardError)) throw thrown;
      const error = this.#isWaitEnded(thrown) ? (this.#uncertain ?? thrown) : thrown;
      this.#notify("onEnd", () => ({ error, elapsedMs: this.#context().elapsedMs }));
      throw addCall(error, this.#context());
    }
  }

  async #attemptUntilDone(): Promise<Answer> {
    for (;;) {
      const entering = this.#line.enter(this.#place);
      if (entering !== undefined) await entering;
      let delayMs: number | undefined;
      try {
        return await this.#attempt();
      } catch (error) {
        delayMs = this.#prepareRetry(error);
      } finally {
        this.#line.leave();
      }
      if (delayMs !== undefined) await this.#timing.wait(delayMs, this.#options.waitSignal);
    }
  }

  /** Whether the error says only that nothing is sent any more. */
  #isWaitEnded(error: SitewardError): boolean {
    return error instanceof AbortError && this.#options.signal?.aborted !== true;
  }

  async #attempt(): Promise<Answer> {
    const { timeoutMs, signal } = this.#options;
    const { method, endpoint } = this.#request;
    const onTime = (): Error => new TimeoutError(`${endpoint} took longer than ${timeoutMs} ms.`, timeoutMs);
    const answer = await withDeadline({ delayMs: timeoutMs, signal, onTime }, (ended) => this.#exchange(ended));
    if (answer.status >= 200 && answer.status < 300) return answer;
    const error = createApiError(answer);
    if (isAlreadyDeleted(method, error, this.#uncertain !== undefined)) return answer;
    throw error;
  }

  /**
   * Sends the request and reads the entire response, whatever its status. Redirects are not followed, not even within the
   * origin: the key is sent only to `baseUrl`, a redirected POST would become a GET, and a wrong `baseUrl` would cost two
   * requests each time without anyone noticing.
   */
  async #exchange(signal: AbortSignal): Promise<Answer> {
    const { method, endpoint, target, headers, body, redact } = this.#request;
    // Lets the server's log tell a retry from a second request.
    if (this.#attempts > 0) headers["x-siteward-retry-count"] = String(this.#attempts);
    this.#attempts += 1;
    this.#notify("onRequest", () => ({}));
    const startMs = this.#timing.nowMs();
    try {
      const response = await this.#client.fetch(target, { method, headers, body, redirect: "manual", signal });
      const answer = {
        endpoint,
        status: response.status,
        text: redact(await readText(response)),
        receivedMs: this.#timing.nowMs(),
        call: this.#context(),
        readHeaders: () => redactHeaders(response.headers, redact),
      };
      // The fetch may have ignored that the attempt ended.
      if (!signal.aborted) {
        const isSuccess = answer.status >= 200 && answer.status < 300;
        const { status, headers } = response;
        this.#line.note(startMs, isSuccess, () => readRateLimit(headers));
        // Not from the copy of the headers that a caller gets, which would be made for each response.
        this.#notify("onResponse", () => ({
          status,
          durationMs: answer.receivedMs - startMs,
          requestId: redact(headers.get("x-request-id") ?? "") || undefined,
          rateLimit: readRateLimit(headers),
        }));
      }
      return answer;
    } catch (error) {
      throw toConnectionError(endpoint, error, redact);
    }
  }

  /**
   * Returns how long the call waits before it enters the line again, in milliseconds. Undefined if it waits there, with all
   * others, because of the limit of the API key.
   *
   * @throws the error that the call fails with, if it is not retried
   */
  #prepareRetry(error: unknown): number | undefined {
    if (!(error instanceof SitewardError)) throw error;
    const { maxRetries } = this.#options;
    const refusalCount = this.#refusals;
    const retryCount = this.#attempts - 1 - refusalCount;
    const delayMs = decideRetryDelayMs(error, { retryCount, refusalCount, maxRetries }, this.#timing.random);
    if (delayMs === undefined) throw chooseError(error, this.#uncertain);
    if (mayHaveActed(this.#request.method, error)) this.#uncertain = error;
    this.#notify("onRetry", () => ({ error, delayMs }));
    if (!isRefusal(error)) return delayMs;
    this.#refusals += 1;
    this.#line.pause(delayMs, error.rateLimit);
    return undefined;
  }

  #notify<Name extends keyof Events>(name: Name, describe: () => Omit<Events[Name], keyof RequestEvent>): void {
    const { method, url } = this.#request;
    const attempt = this.#attempts;
    // TypeScript does not see that the two parts together are the event.
    this.#client.notify(name, () => ({ method, url, attempt, ...describe() }) as Events[Name]);
  }

  #context(): CallContext {
    const { method, path } = this.#request;
    return { method, path, attempts: this.#attempts, elapsedMs: this.#timing.nowMs() - this.#startMs };
  }
}
