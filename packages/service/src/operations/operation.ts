import type { Scope } from "@siteward/contract";
import type { Conditions } from "../conditions.ts";
import type { ChangeAuthor, IdempotentRequest, ServiceStorage } from "../storage.ts";

/**
 * Carries out one operation of the contract. It knows neither HTTP nor SQL: a door turns a request into the call and the answer
 * into a response, and storage keeps the data.
 *
 * @throws AppError if the request is refused, or storage fails
 */
export type Operation<Route> = (call: Call<Route>, service: Service) => Promise<Answer<Route>>;

/** What every operation has at hand. */
export interface Service {
  readonly storage: ServiceStorage;
  readonly passwords: PasswordHasher;
}

/** A request of a valid API key, with what its route has admitted and validated. */
export interface Call<Route = unknown> {
  readonly principal: Principal;
  /** Who makes the changes of the request, for the audit trail. */
  readonly author: ChangeAuthor;
  readonly params: ValidPart<Route, "pathParams">;
  readonly query: ValidPart<Route, "query">;
  readonly body: ValidPart<Route, "body">;
  /** Undefined if the request has none. */
  readonly conditions: Conditions | undefined;
  /** Undefined if the client sent no idempotency key. */
  readonly idempotency: IdempotentRequest | undefined;
  /** Returns the URL at which the client reached the service, without a slash at the end. */
  baseUrl(): string;
  /** How long the request waited for its turn. */
  readonly waitedMs: number;
  /** Whether the client no longer waits for the answer. */
  isDisconnected(): boolean;
}

/** Who a request acts for: a valid API key, and through it one account. */
export interface Principal {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  /** The part of the key that is no secret. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  /** Null if it does not expire. */
  readonly expiresAt: Date | null;
  /** Null if it was not used yet. */
  readonly lastUsedAt: Date | null;
}

/** Hashes passwords. */
export interface PasswordHasher {
  /** @throws AppError `unavailable` if the client leaves before the end, or too many passwords wait */
  hash(password: string, call: Pick<Call, "principal" | "waitedMs" | "isDisconnected">): Promise<string>;
}

/** One of the answers that the route declares. An answer without a body is only a head. */
export type Answer<Route> = Route extends { readonly responses: infer Responses }
  ? {
      [Status in keyof Responses & number]: AnswerHead<Status> & { readonly body: BodyOf<Responses[Status]> };
    }[keyof Responses & number]
  : AnswerHead<number> & { readonly body: unknown };

interface AnswerHead<Status> {
  readonly status: Status;
  /** The headers of this answer, besides those that every answer has. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Schema<Valid> {
  readonly "~standard": { readonly types?: { readonly output: Valid } | undefined };
}

type BodyOf<Response> = Response extends Schema<infer Valid> ? Valid : undefined;

/** A part of the request as the schema of the route returns it. */
type ValidPart<Route, Part extends string> = unknown extends Route
  ? unknown
  : Route extends Readonly<Record<Part, Schema<infer Valid>>>
    ? Valid
    : undefined;
