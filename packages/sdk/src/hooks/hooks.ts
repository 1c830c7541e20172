import type { CallContext } from "../errors/add-call.ts";
import type { SitewardError } from "../errors/siteward-error.ts";
import type { RateLimit } from "../headers/rate-limit.ts";

/** An attempt is about to be sent. It contains no header, query or body. */
export interface RequestEvent {
  /** The HTTP method. */
  readonly method: string;
  /** The URL without its query. */
  readonly url: string;
  /** The number of the attempt in its call: 1, then 2 for the first retry. */
  readonly attempt: number;
}

/** The complete response of an attempt was received, whatever its status. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status. */
  readonly status: number;
  /** How long this attempt took, from the request to the end of the response, in milliseconds. */
  readonly durationMs: number;
  /** Identifies the request in the server's log. Undefined if the response has no ID. */
  readonly requestId: string | undefined;
  /** How much of the API key's rate limit is left. Undefined if the response does not say. */
  readonly rateLimit: RateLimit | undefined;
}

/** An attempt failed, and will be repeated after a wait. */
export interface RetryEvent extends RequestEvent {
  /** Why this attempt failed. */
  readonly error: SitewardError;
  /** How long the client waits before the next attempt, in milliseconds. After a 429 it can be longer, as calls go in turn. */
  readonly delayMs: number;
}

/** A call has ended, with a status or an error. Only the log needs to know: the caller gets the result. */
interface EndEvent extends RequestEvent, Pick<CallContext, "elapsedMs"> {
  readonly status?: number;
  readonly error?: SitewardError;
}

/** What happens during a call. */
export interface Events {
  readonly onRequest: RequestEvent;
  readonly onResponse: ResponseEvent;
  readonly onRetry: RetryEvent;
  readonly onEnd: EndEvent;
}

/** A function for each event. */
export type Listeners = { readonly [Name in keyof Events]?: ((event: Events[Name]) => unknown) | undefined };
