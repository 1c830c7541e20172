import { errorCodes } from "@siteward/contract";
import type { Problem } from "@siteward/contract/types";
import { AppError, requestIdHeader, toPathPattern } from "@siteward/service";
import { type FakeAnswer, toProblemAnswer } from "./answer.ts";

/** How a request fails: with a `code`, a `status` or a `networkError`. With `delayMs` alone it is only late. */
export interface Failure {
  /** The service answers with one of its errors, such as `unavailable`. The status and title follow from the code. */
  readonly code?: Problem["code"] | undefined;
  /** Only with `code`: other members of the problem details, such as `detail`, `errors` or `outcome`. */
  readonly problem?: Partial<Omit<Problem, "code" | "status" | "title" | "type" | "request_id">> | undefined;
  /** Something else answers with this status, such as a proxy. From 200 to 599. */
  readonly status?: number | undefined;
  /**
   * Only with `status`: the body of the response.
   * @default a page of HTML
   */
  readonly body?: string | undefined;
  /**
   * Headers of the response, such as `{ "Retry-After": "2" }`.
   * @default none, and with `status` { "Content-Type": "text/html" }
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * `fetch` rejects: with `when: "before"` as refused, with `when: "after"` as lost after the request was carried out.
   */
  readonly networkError?: true | undefined;
  /**
   * Milliseconds of real time until the response. With `Infinity`, none comes until the caller aborts.
   * @default 0
   */
  readonly delayMs?: number | undefined;
  /**
   * Whether it happens before the request is carried out, or after, so that only the response is lost or late.
   * @default "before"
   */
  readonly when?: "before" | "after" | undefined;
  /**
   * How many requests; at least 1. `Infinity` is all of them.
   * @default 1
   */
  readonly times?: number | undefined;
  /**
   * Only requests with this method.
   * @default any method
   */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | undefined;
  /**
   * Only requests to this path without its query, such as `/api/v1/websites/7`, or `/api/v1/websites/:id` for any ID.
   * @default any path
   */
  readonly path?: string | undefined;
}

/** A failure that some requests have yet to meet, and how many have met it. */
interface Waiting {
  readonly failure: Failure & { readonly times: number };
  readonly pattern: RegExp | undefined;
  met: number;
}

/** What the next requests meet, in the order in which it was added. */
export class Injections {
  #waiting: Waiting[] = [];

  add(failure: Failure): void {
    const { times = 1, path } = failure;
    // Every character of a path other than its parameters stands for itself.
    const pattern = path === undefined ? undefined : toPathPattern(path.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    this.#waiting.push({ failure: { ...failure, times }, pattern, met: 0 });
  }

  /** What requests have yet to meet. What all of them meet counts as met after the first. */
  get pending(): Failure[] {
    return this.#waiting
      .filter(({ failure, met }) => met === 0 || failure.times < Number.POSITIVE_INFINITY)
      .map(({ failure, met }) => ({ ...failure, times: failure.times - met }));
  }

  /** Returns what a request meets, and counts it. */
  take(method: string, path: string): Failure | undefined {
    const found = this.#waiting.find(
      ({ failure, pattern }) => (failure.method ?? method) === method && (pattern?.test(path) ?? true),
    );
    if (found === undefined) return undefined;
    found.met += 1;
    this.#waiting = this.#waiting.filter(({ failure, met }) => met < failure.times);
    return found.failure;
  }
}

/**
 * Returns the response of a request that fails, or undefined if it is only late.
 *
 * @throws TypeError as `fetch` does, if no response arrives
 */
export function toFailedAnswer(
  { code, problem = {}, status, body, headers, networkError, when }: Failure,
  baseUrl: string,
  requestId: string,
): FakeAnswer | undefined {
  if (networkError && when === "after") {
    throw toNetworkError("ECONNRESET", "the connection was closed before the response arrived (failNext)");
  }
  if (networkError) throw toNetworkError("ECONNREFUSED", "the connection was refused (failNext)");
  if (status !== undefined) {
    const page = `<!doctype html><title>${status}</title><p>Injected by failNext.</p>`;
    return { status, headers: headers ?? { "Content-Type": "text/html" }, body: body ?? page };
  }
  if (code === undefined) return undefined;
  const { detail = `Injected by failNext: ${errorCodes[code].meaning}`, ...facts } = problem;
  const answer = toProblemAnswer(baseUrl, new AppError(code, detail, { facts }), { requestId, headers: {} });
  // A test can replace the ID, however it writes the name, but not the content type.
  const sent = new Headers({ [requestIdHeader]: requestId });
  for (const [name, value] of Object.entries({ ...headers, ...answer.headers })) sent.set(name, value);
  return { ...answer, headers: Object.fromEntries(sent) };
}

/** Returns the error with which `fetch` rejects. Node reports it in this way, and other runtimes in a similar one. */
export function toNetworkError(code: string, message: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
}
