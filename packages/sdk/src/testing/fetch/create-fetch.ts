import type { Delay, Failure } from "../injected/failure.ts";
import { toFailedAnswer } from "../injected/failures.ts";
import type { Injections } from "../injected/injections.ts";
import { wait } from "../injected/wait.ts";
import { answerRequest, type FakeAnswer } from "../service/answer-request.ts";
import type { SentRequest } from "../service/sent-request.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { FakeFetch } from "./fake-fetch.ts";
import type { RecordedRequests } from "./recorded-requests.ts";

/** What answers requests. */
interface FakeService {
  readonly state: FakeState;
  readonly requests: RecordedRequests;
  readonly failures: Injections<Failure>;
  readonly delays: Injections<Delay>;
}

/** Creates the `fetch` of a fake. */
export function createFetch(service: FakeService): FakeFetch {
  let requestCount = 0;
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    // Callers pass these standard types. The declarations name less, because not every platform has the same.
    const request = await receive(input as Request, init as RequestInit | undefined, service.state.baseUrl);
    signal?.throwIfAborted();
    requestCount += 1;
    return answer(service, request, { requestId: toRequestId(requestCount), signal });
  };
}

/** Reads a request as `fetch` does. The signal stays out of it: that of a browser's environment in Node is no signal of Node. */
async function receive(
  input: string | URL | Request,
  init: RequestInit | undefined,
  baseUrl: string,
): Promise<SentRequest> {
  const request = new Request(input, { ...init, signal: null });
  const url = new URL(request.url);
  if (url.origin !== baseUrl) throw unknownHost(url, baseUrl);
  // To read a body that does not exist takes as long as to look a website up.
  const body = request.body === null ? noBody : new Uint8Array(await request.arrayBuffer());
  return { method: request.method, url, headers: request.headers, body };
}

const noBody = new Uint8Array();

function unknownHost({ origin }: URL, baseUrl: string): TypeError {
  const message = `the fake answers only requests to ${baseUrl}, not to ${origin}. Pass its baseUrl to the client`;
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code: "ENOTFOUND" }) });
}

/** Returns a UUID that is the same for the same request of each fake, so that snapshots do not change. */
function toRequestId(count: number): string {
  return `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
}

interface AnswerOptions {
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
}

/** Answers a request, with what was injected before and after it is carried out. */
async function answer(service: FakeService, request: SentRequest, options: AnswerOptions): Promise<Response> {
  const { state, requests, failures, delays } = service;
  const { requestId, signal } = options;
  const path = request.url.pathname;
  const noteStatus = requests.add(request);
  const delay = delays.take(request.method, path);
  const failure = failures.take(request.method, path);
  const ends: (() => void)[] = [];
  const carryOut = () => answerRequest(state, request, { requestId, onEnd: (end) => ends.push(end) });
  const fail = (injected: Failure) => toFailedAnswer(injected, { baseUrl: state.baseUrl, requestId });
  try {
    if (delay !== undefined && delay.when !== "after") await wait(delay.delayMs, signal);
    const isLost = failure !== undefined && failure.when === "after";
    const answered = failure === undefined || isLost ? await carryOut() : fail(failure);
    if (delay?.when === "after") await wait(delay.delayMs, signal);
    const received = isLost ? fail(failure) : answered;
    noteStatus(received.status);
    return toResponse(request, received);
  } finally {
    for (const end of ends) end();
  }
}

function toResponse({ method, url }: SentRequest, { status, headers, body }: FakeAnswer): Response {
  const isHeadOnly = method === "HEAD" || status === 204 || status === 205 || status === 304;
  const response = new Response(isHeadOnly ? null : body, { status, headers });
  // A response of `fetch` has the URL of its request, and one that a program creates has none.
  return Object.defineProperty(response, "url", { value: url.href });
}
