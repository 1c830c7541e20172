import { type Route, type Scope, secretFields } from "@siteward/contract";
import { AppError } from "../app-error.ts";
import { type ConditionHeaders, readConditions } from "../conditions.ts";
import type { Call } from "../operations/operation.ts";
import { idempotencyInProgress, idempotencyKeyReused } from "../refusals.ts";
import type { IdempotentRequest } from "../storage.ts";
import { readIdempotencyKey } from "./headers.ts";

/** A request of a valid API key, as a door received it. */
export interface ReceivedRequest {
  readonly method: string;
  /** The path with its query, as it was sent. */
  readonly url: string;
  readonly headers: ConditionHeaders & { readonly "idempotency-key"?: string | string[] | undefined };
  readonly principal: { readonly accountId: number; readonly scopes: readonly Scope[] };
  /**
   * Receives the body and returns its fields, or drops it if the route takes none. It returns a promise only if it must wait:
   * almost every request has no body.
   */
  receiveBody(): unknown;
  /**
   * Returns a hash of what the request says, which depends on the API key if that is secret.
   *
   * @param isSecret whether it contains a field that nothing may store as it was sent
   */
  toFingerprint(said: string, isSecret: boolean): string;
  /** Calls a function once the request is answered, or never will be. */
  onEnd(end: () => void): void;
}

/** What a route admits of a request. Its body has the fields as they were sent. */
export type Admitted = Pick<Call, "body" | "conditions" | "idempotency">;

/**
 * Checks what a route asks of every request, in this order: the scope, the conditions, the body and the idempotency key. All of
 * it follows from the route's own data, so a new route cannot be without it. The body is also received if the route takes no
 * fields, so that a broken one changes nothing.
 *
 * @returns a promise only if the body must be waited for
 * @throws AppError that says what is wrong
 */
export function admit(request: ReceivedRequest, route: Route, running: RunningRequests): Admitted | Promise<Admitted> {
  requireScope(request.principal.scopes, route.scope);
  const conditions = readConditions(request.headers, route.method);
  const goOn = (body: unknown): Admitted => ({
    body,
    conditions,
    idempotency: route.method === "POST" ? beginIdempotent(request, body, running) : undefined,
  });
  const received = request.receiveBody();
  return received instanceof Promise ? received.then(goOn) : goOn(received);
}

function beginIdempotent(
  request: ReceivedRequest,
  body: unknown,
  running: RunningRequests,
): IdempotentRequest | undefined {
  const key = readIdempotencyKey(request.headers["idempotency-key"]);
  if (key === undefined) return undefined;
  const idempotent = { key, fingerprint: fingerprintOf(request, body) };
  request.onEnd(running.begin(request.principal.accountId, idempotent));
  return idempotent;
}

/**
 * Checks that an API key has the scope of a route.
 *
 * @throws AppError `insufficient_scope`
 */
function requireScope(scopes: readonly Scope[], scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new AppError("insufficient_scope", `This operation needs an API key with the scope ${scope}.`, {
    facts: {
      required_scope: scope,
      challenge: `Bearer realm="siteward", error="insufficient_scope", scope="${scope}"`,
    },
  });
}

/**
 * Returns the fingerprint of what a request says: its method, path and fields in any order.
 *
 * @param body as it was read, before any validation
 */
function fingerprintOf(request: ReceivedRequest, body: unknown): string {
  const fields = readFields(body);
  const sorted = fields.toSorted(([left], [right]) => (left < right ? -1 : 1));
  const isSecret = fields.some(([name]) => secretFields.includes(name));
  return request.toFingerprint(JSON.stringify([request.method, request.url, sorted]), isSecret);
}

/** A body without fields is refused later. Sorted as fields, the 65,000 characters of a string took 20 to 50 ms. */
function readFields(body: unknown): [name: string, value: unknown][] {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return [];
  return Object.entries(body).map(([name, value]) => [name, toFormValue(value)]);
}

/** A form has neither numbers nor arrays of one string, and the schemas accept its strings for them. */
function toFormValue(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/**
 * The requests with an idempotency key that this process is answering. A second one with the same key is refused at once, so
 * that it does not wait, and hashes no password again. In another process it waits for the transaction of the first.
 */
export class RunningRequests {
  /** The fingerprints by account and key. There are at most as many as requests in progress. */
  readonly #running = new Map<string, string>();

  /**
   * Notes a request until it is answered.
   *
   * @returns a function that ends the note
   * @throws AppError `idempotency_in_progress` or `idempotency_key_reused`
   */
  begin(accountId: number, { key, fingerprint }: IdempotentRequest): () => void {
    const name = `${accountId} ${key}`;
    const running = this.#running.get(name);
    if (running !== undefined) throw running === fingerprint ? idempotencyInProgress() : idempotencyKeyReused();
    this.#running.set(name, fingerprint);
    return () => this.#running.delete(name);
  }
}
