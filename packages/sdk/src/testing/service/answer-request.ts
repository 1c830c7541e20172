import {
  AppError,
  apiPath,
  describeRequest,
  isBelow,
  isRequestId,
  pathNotFound,
  readConditions,
  readIdempotencyKey,
  readQuery,
  requestIdHeader,
  requireScope,
  toProblemDetails,
} from "@siteward/service";
import type { OperationAnswer } from "../operations/operation.ts";
import type { StoredApiKey } from "../state/api-keys.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { IdempotentRequest } from "../state/kept-outcomes.ts";
import { admit } from "./admit.ts";
import { findRoute, type ServedOperation } from "./find-route.ts";
import { checkSize, readFields } from "./read-fields.ts";
import type { ReceivedRequest } from "./received-request.ts";
import { validate } from "./validate.ts";

/** What the service answers. */
export interface FakeAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Null if the answer is only a head. */
  readonly body: string | null;
}

/** A request that is being answered, and what happens once it is. */
export interface RequestContext {
  /** The ID of a request whose client sends none. */
  readonly requestId: string;
  /** Calls a function once the client has the answer, or no longer waits for it. */
  readonly onEnd: (end: () => void) => void;
}

/** Answers a request as the service does. Everything that happens to a request is listed here, from top to bottom. */
export function answerRequest(state: FakeState, request: ReceivedRequest, context: RequestContext): FakeAnswer {
  const sentId = request.headers.get(requestIdHeader);
  const requestId = isRequestId(sentId) ? sentId : context.requestId;
  const headers = new Headers({ [requestIdHeader]: requestId });
  try {
    const path = request.url.pathname;
    if (!isBelow(apiPath, path)) throw pathNotFound(path);
    headers.set("Cache-Control", "no-store");
    const apiKey = admit(state, request.headers, headers);
    context.onEnd(() => {
      apiKey.lastUsedAt = state.clock.now();
    });
    const found = findRoute(request.method, path);
    if ("allow" in found) return toAnswer(headers, { status: 204, headers: { Allow: found.allow } });
    return toAnswer(headers, run(state, request, { ...found, apiKey, ...context }));
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

function run(state: FakeState, request: ReceivedRequest, routed: RoutedRequest): OperationAnswer {
  const { operation, params, apiKey } = routed;
  const { route, schemas } = operation;
  requireScope(apiKey.scopes, route.scope);
  const conditions = readConditions(readConditionHeaders(request.headers), route.method);
  if (schemas.body === undefined) checkSize(request.body);
  const body = schemas.body === undefined ? undefined : readFields(request);
  const idempotency = route.method === "POST" ? beginIdempotent(state, request, { ...routed, body }) : undefined;
  const { search } = request.url;
  const query = readQuery(search === "" ? null : search.slice(1));
  const valid = validate(operation, { params, query, body });
  // The cast is safe: the schemas of the operation have validated the parts.
  return operation.run({
    state,
    ...(valid as { params: undefined; query: undefined; body: undefined }),
    apiKey,
    conditions,
    idempotency,
  });
}

function readConditionHeaders(headers: Headers) {
  return {
    "if-match": headers.get("If-Match") ?? undefined,
    "if-none-match": headers.get("If-None-Match") ?? undefined,
  };
}

function beginIdempotent(
  { outcomes }: FakeState,
  { method, url, headers }: ReceivedRequest,
  { operation, apiKey, onEnd, body }: RoutedRequest & { readonly body: unknown },
): IdempotentRequest | undefined {
  const key = readIdempotencyKey(headers.get("Idempotency-Key") ?? undefined);
  if (key === undefined) return undefined;
  const said = describeRequest({ method, url: url.pathname + url.search, body }, operation.route);
  // The service compares a request with a secret only with those of the same API key.
  const request = { key, fingerprint: said.isSecret ? `${apiKey.id} ${said.text}` : said.text };
  onEnd(outcomes.begin(request));
  return request;
}

function toAnswer(headers: Headers, answer: OperationAnswer): FakeAnswer {
  for (const [name, value] of Object.entries(answer.headers ?? {})) headers.set(name, value);
  if (answer.body === undefined) return { status: answer.status, headers, body: null };
  headers.set("Content-Type", "application/json; charset=utf-8");
  return { status: answer.status, headers, body: JSON.stringify(answer.body) };
}

/** Returns the problem details of an error. */
export function toProblemAnswer(
  { baseUrl }: Pick<FakeState, "baseUrl">,
  error: AppError,
  { requestId, headers }: { readonly requestId: string; readonly headers: Headers },
): FakeAnswer {
  for (const [name, value] of Object.entries(error.headers)) headers.set(name, value);
  headers.set("Content-Type", "application/problem+json; charset=utf-8");
  return { status: error.status, headers, body: JSON.stringify(toProblemDetails(error, { baseUrl, requestId })) };
}
