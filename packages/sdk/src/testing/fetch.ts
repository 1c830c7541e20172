import { findBodyReader, isRequestId, readBodyBytes, requestIdHeader } from "@siteward/service";
import { answerRequest, type FakeAnswer, type FakeService, type SentRequest } from "./answer.ts";
import { type Injections, toFailedAnswer, toNetworkError } from "./injections.ts";

/** It takes what the standard `fetch` takes. Its types are not named, because not every platform has the same. */
export type FakeFetch = (input: string | URL | { readonly url: string }, init?: object) => Promise<Response>;

/** A request that the fake received. */
export interface FakeRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The URL as it was requested. */
  readonly url: string;
  /** The path of the URL, such as `/api/v1/websites/7`. */
  readonly path: string;
  /** The parameters in the query of the URL, such as `{ sort: "asc" }`. */
  readonly query: Readonly<Record<string, string>>;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The fields in the body, from JSON or a form. A string if it is neither, and undefined if there is no body. */
  readonly body: unknown;
  /** The status that the caller got. Undefined until it is answered, and if it gets no response. */
  readonly status: number | undefined;
}

/** More than a test looks at. Then the oldest is forgotten. */
const maxRequests = 10_000;

/** Creates the `fetch` of a fake, which adds each request to `requests`. */
export function createFetch(service: FakeService, injections: Injections, requests: FakeRequest[]): FakeFetch {
  let requestCount = 0;
  return async (input, init: RequestInit = {}) => {
    const signal = init.signal ?? (input instanceof Request ? input.signal : undefined);
    // Callers pass what the standard `fetch` takes.
    const received = await receive(input as Request, init, service.baseUrl);
    signal?.throwIfAborted();
    requestCount += 1;
    // A UUID that is the same for the same request of each fake, so that snapshots do not change.
    const ownId = `00000000-0000-4000-8000-${String(requestCount).padStart(12, "0")}`;
    const sentId = received.headers[requestIdHeader.toLowerCase()];
    const ends: (() => void)[] = [];
    const onEnd = (end: () => void) => void ends.push(end);
    const request = { ...received, requestId: isRequestId(sentId) ? sentId : ownId, signal, onEnd };
    const recorded = { ...show(request), status: undefined as number | undefined };
    requests.push(recorded);
    if (requests.length > maxRequests) requests.shift();
    try {
      const answered = await answer(service, request, injections);
      recorded.status = answered.status;
      return toResponse(request, answered);
    } finally {
      for (const end of ends) end();
    }
  };
}

type ReceivedParts = Pick<SentRequest, "method" | "url" | "headers" | "body">;

/** Reads a request as `fetch` does. In Node, the signal of a browser's environment is no signal of Node. */
async function receive(input: string | URL | Request, init: RequestInit, baseUrl: string): Promise<ReceivedParts> {
  const request = new Request(input, { ...init, signal: null });
  const url = new URL(request.url);
  if (url.origin !== baseUrl) {
    const message = `the fake answers only requests to ${baseUrl}, not to ${url.origin}. Pass its baseUrl to the client`;
    throw toNetworkError("ENOTFOUND", message);
  }
  // To read a body that does not exist takes as long as to look a website up.
  const body = request.body === null ? new Uint8Array() : new Uint8Array(await request.arrayBuffer());
  return { method: request.method, url, headers: Object.fromEntries(request.headers), body };
}

function show(request: ReceivedParts): Omit<FakeRequest, "status"> {
  const { method, url, headers } = request;
  return {
    method,
    url: url.href,
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers,
    body: showBody(request),
  };
}

function showBody({ method, headers, body }: ReceivedParts): unknown {
  if (body.byteLength === 0) return undefined;
  try {
    const reader = findBodyReader(method, headers["content-type"]);
    // Fields of a form are in an object without a prototype, which assertions print and compare differently.
    return structuredClone(readBodyBytes(reader, body));
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** Answers a request, with what was injected before or after it is carried out. */
async function answer(service: FakeService, request: SentRequest, injections: Injections): Promise<FakeAnswer> {
  const failure = injections.take(request.method, request.url.pathname);
  if (failure === undefined) return await answerRequest(service, request);
  const carriedOut = failure.when === "after" ? await answerRequest(service, request) : undefined;
  await wait(failure.delayMs ?? 0, request.signal);
  return toFailedAnswer(failure, service.baseUrl, request.requestId) ?? carriedOut ?? answerRequest(service, request);
}

/**
 * Waits. An infinite wait ends only with its signal, and holds no timer.
 *
 * @throws the reason of the signal if it is aborted
 */
function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  if (delayMs === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = delayMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, delayMs);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function toResponse({ method, url }: SentRequest, { status, headers, body }: FakeAnswer): Response {
  const isHeadOnly = method === "HEAD" || status === 204 || status === 205 || status === 304;
  const response = new Response(isHeadOnly ? null : body, { status, headers });
  // A response of `fetch` has the URL of its request, and one that a program creates has none.
  return Object.defineProperty(response, "url", { value: url.href });
}
