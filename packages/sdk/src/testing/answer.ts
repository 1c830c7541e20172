import {
  type Answer,
  AppError,
  admit,
  apiPath,
  bodyTooLarge,
  errorHeaders,
  findBodyReader,
  isBelow,
  maxBodyBytes,
  pathNotFound,
  type RateLimiter,
  type RunningRequests,
  rateLimited,
  rateLimitHeaders,
  readBearerToken,
  readBodyBytes,
  readQuery,
  requestIdHeader,
  type Service,
  toProblemDetails,
  unsupportedEncoding,
} from "@siteward/service";
import type { ApiKeys, StoredApiKey } from "./api-keys.ts";
import type { FakeClock } from "./clock.ts";
import { type FoundOperation, findRoute, validate } from "./routes.ts";

/** What a fake answers from. */
export interface FakeService {
  readonly baseUrl: string;
  readonly clock: FakeClock;
  /** What its operations have at hand: the storage in memory above all. */
  readonly service: Service;
  readonly apiKeys: ApiKeys;
  readonly running: RunningRequests;
  readonly rateLimiter: RateLimiter;
  /** Requests per minute of a key without a limit of its own; 0 for no limit. */
  readonly rateLimit: number;
}

/** A request as the service received it. */
export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly requestId: string;
  readonly signal: AbortSignal | undefined;
  /** Calls a function once the client has the answer, or no longer waits for it. */
  readonly onEnd: (end: () => void) => void;
}

/** What the service answers. */
export interface FakeAnswer {
  readonly status: number;
  /** By their names. Only the response builds `Headers`: each instance takes as long as to look a website up. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the answer is only a head. */
  readonly body: string | null;
}

/** Answers a request as the service does. Everything that happens to a request is listed here, from top to bottom. */
export async function answerRequest(fake: FakeService, request: SentRequest): Promise<FakeAnswer> {
  const { requestId } = request;
  const headers: Record<string, string> = { [requestIdHeader]: requestId };
  try {
    const path = request.url.pathname;
    if (!isBelow(apiPath, path)) throw pathNotFound(path);
    headers["Cache-Control"] = "no-store";
    const apiKey = identify(fake, request.headers["authorization"], headers);
    request.onEnd(() => {
      apiKey.lastUsedAt = fake.clock.now();
    });
    const found = findRoute(request.method, path);
    if ("allow" in found) return { status: 204, headers: { ...headers, Allow: found.allow }, body: null };
    return toAnswer(headers, await run(fake, request, found, apiKey));
  } catch (error) {
    // Any other error is a bug of the fake, which must not look like an answer of the service.
    if (!(error instanceof AppError)) throw error;
    return toProblemAnswer(fake.baseUrl, error, { requestId, headers });
  }
}

/**
 * Finds the API key of a request, and counts the request for its limit.
 *
 * @param sent the header `Authorization`
 * @param headers the headers of the answer, to which those of the limit are added
 * @throws AppError `unauthenticated` or `rate_limited`
 */
function identify(fake: FakeService, sent: string | undefined, headers: Record<string, string>): StoredApiKey {
  const apiKey = fake.apiKeys.find(readBearerToken(sent), fake.clock.now());
  const limit = apiKey.rateLimit ?? fake.rateLimit;
  if (limit === 0) return apiKey;
  const grant = fake.rateLimiter.take(apiKey.id, limit);
  for (const [name, value] of rateLimitHeaders(limit, grant)) headers[name] = value;
  if (grant.granted === 0) throw rateLimited(limit, grant);
  return apiKey;
}

async function run(
  fake: FakeService,
  request: SentRequest,
  { operation, params }: FoundOperation,
  principal: StoredApiKey,
): Promise<Answer<unknown>> {
  const { method, url, headers, onEnd } = request;
  const received = {
    method,
    url: url.pathname + url.search,
    headers,
    principal,
    receiveBody: () => (operation.body === undefined ? checkSize(request.body) : readFields(request)),
    // The service compares a request with a secret only with those of the same API key.
    toFingerprint: (said: string, isSecret: boolean) => (isSecret ? `${principal.id} ${said}` : said),
    onEnd,
  };
  const { body, conditions, idempotency } = await admit(received, operation.route, fake.running);
  const query = readQuery(url.search === "" ? null : url.search.slice(1));
  const call = {
    ...validate(operation, { params, query, body }),
    principal,
    author: { apiKey: principal.prefix, operator: null, requestId: request.requestId },
    conditions,
    idempotency,
    baseUrl: () => fake.baseUrl,
    waitedMs: 0,
    isDisconnected: () => false,
  };
  return operation.run(call, fake.service);
}

/** @throws AppError `unsupported_media_type`, `body_too_large` or `malformed_request` */
function readFields({ method, headers, body }: SentRequest): unknown {
  if (body.byteLength === 0) return {};
  const reader = findBodyReader(method, headers["content-type"]);
  // The service reads gzip and others, which not every runtime can. The client compresses nothing.
  if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity") {
    const detail = "The fake reads no compressed body, unlike the service. Send the body uncompressed in this test.";
    throw new AppError("unsupported_media_type", detail, { facts: unsupportedEncoding(method).facts });
  }
  checkSize(body);
  return readBodyBytes(reader, body);
}

function checkSize({ byteLength }: Uint8Array): void {
  if (byteLength > maxBodyBytes) throw bodyTooLarge();
}

function toAnswer(common: FakeAnswer["headers"], answer: Answer<unknown>, type = "application/json"): FakeAnswer {
  const { status, body } = answer;
  const headers = { ...common, ...answer.headers };
  if (body === undefined) return { status, headers, body: null };
  return { status, headers: { ...headers, "Content-Type": `${type}; charset=utf-8` }, body: JSON.stringify(body) };
}

/** Returns the problem details of an error. */
export function toProblemAnswer(
  baseUrl: string,
  error: AppError,
  { requestId, headers }: { readonly requestId: string; readonly headers: FakeAnswer["headers"] },
): FakeAnswer {
  const body = toProblemDetails(error, { baseUrl, requestId });
  return toAnswer(headers, { status: body.status, headers: errorHeaders(error), body }, "application/problem+json");
}
