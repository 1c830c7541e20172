import {
  type Answer,
  AppError,
  admit,
  apiPath,
  errorHeaders,
  isBelow,
  isRequestId,
  pathNotFound,
  type ReceivedRequest,
  readQuery,
  requestIdHeader,
  toProblemDetails,
} from "@siteward/service";
import type { StoredApiKey } from "../state/api-keys.ts";
import type { FakeState } from "../state/fake-state.ts";
import { findRoute, type ServedOperation } from "./find-route.ts";
import { identify } from "./identify.ts";
import { checkSize, readFields } from "./read-fields.ts";
import type { SentRequest } from "./sent-request.ts";
import { validate } from "./validate.ts";

/** What the service answers. */
export interface FakeAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Null if the answer is only a head. */
  readonly body: string | null;
}

/** Headers by their names. Only the response builds `Headers`: each instance takes as long as to look a website up. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** A request that is being answered, and what happens once it is. */
interface RequestContext {
  /** The ID of a request whose client sends none. */
  readonly requestId: string;
  /** Calls a function once the client has the answer, or no longer waits for it. */
  readonly onEnd: (end: () => void) => void;
}

/** Answers a request as the service does. Everything that happens to a request is listed here, from top to bottom. */
export async function answerRequest(
  state: FakeState,
  request: SentRequest,
  context: RequestContext,
): Promise<FakeAnswer> {
  const sentId = request.headers.get(requestIdHeader);
  const requestId = isRequestId(sentId) ? sentId : context.requestId;
  const headers: Record<string, string> = { [requestIdHeader]: requestId };
  try {
    const path = request.url.pathname;
    if (!isBelow(apiPath, path)) throw pathNotFound(path);
    headers["Cache-Control"] = "no-store";
    const apiKey = identify(state, request.headers, headers);
    context.onEnd(() => {
      apiKey.lastUsedAt = state.clock.now();
    });
    const found = findRoute(request.method, path);
    if ("allow" in found) return toAnswer(headers, { status: 204, headers: { Allow: found.allow }, body: undefined });
    const { onEnd } = context;
    return toAnswer(headers, await run(state, request, { ...found, apiKey, requestId, onEnd }));
  } catch (error) {
    // Any other error is a bug of the fake, which must not look like an answer of the service.
    if (!(error instanceof AppError)) throw error;
    return toProblemAnswer(state, error, { requestId, headers });
  }
}

interface RoutedRequest extends RequestContext {
  readonly operation: ServedOperation;
  readonly params: unknown;
  readonly apiKey: StoredApiKey;
}

async function run(state: FakeState, request: SentRequest, routed: RoutedRequest): Promise<Answer<unknown>> {
  const { operation, params, apiKey: principal, requestId } = routed;
  const received = toReceived(request, routed);
  const { body, conditions, idempotency } = await admit(received, operation.route, state.running);
  const { search } = request.url;
  const query = readQuery(search === "" ? null : search.slice(1));
  const valid = validate(operation, { params, query, body });
  const call = {
    ...valid,
    principal,
    author: { apiKey: principal.prefix, operator: null, requestId },
    conditions,
    idempotency,
    baseUrl: () => state.baseUrl,
    disconnected: () => new AbortController().signal,
  };
  return operation.run(call, state.service);
}

function toReceived(request: SentRequest, { operation, apiKey, onEnd }: RoutedRequest): ReceivedRequest {
  const { method, url, headers } = request;
  const read = (name: string) => headers.get(name) ?? undefined;
  return {
    method,
    url: url.pathname + url.search,
    headers: {
      "if-match": read("If-Match"),
      "if-none-match": read("If-None-Match"),
      "idempotency-key": read("Idempotency-Key"),
    },
    principal: apiKey,
    receiveBody: () => (operation.schemas.body === undefined ? checkSize(request.body) : readFields(request)),
    // The service compares a request with a secret only with those of the same API key.
    toFingerprint: ({ text, isSecret }) => (isSecret ? `${apiKey.id} ${text}` : text),
    onEnd,
  };
}

function toAnswer(common: AnswerHeaders, { status, headers, body }: Answer<unknown>): FakeAnswer {
  if (body === undefined) return { status, headers: { ...common, ...headers }, body: null };
  const type = { "Content-Type": "application/json; charset=utf-8" };
  return { status, headers: { ...common, ...headers, ...type }, body: JSON.stringify(body) };
}

/** Returns the problem details of an error. */
export function toProblemAnswer(
  { baseUrl }: Pick<FakeState, "baseUrl">,
  error: AppError,
  { requestId, headers }: { readonly requestId: string; readonly headers: AnswerHeaders },
): FakeAnswer {
  const type = { "Content-Type": "application/problem+json; charset=utf-8" };
  const problem = toProblemDetails(error, { baseUrl, requestId });
  return {
    status: problem.status,
    headers: { ...headers, ...errorHeaders(error), ...type },
    body: JSON.stringify(problem),
  };
}
