import type { SitewardError } from "../errors/siteward-error.ts";
import type { RateLimit } from "../response-headers.ts";

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
  /** How long the client waits, in milliseconds. After a 429 it can be longer, as calls go in turn. */
  readonly delayMs: number;
}

/**
 * What a client tells about its calls. The hooks are called for each attempt of each call, in order. They are not
 * awaited. If one throws or rejects, the call continues, and `console.error` prints the error.
 */
export interface WatchOptions {
  /** Called before each attempt is sent. */
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined;
  /** Called for each complete response, also of an attempt that will be repeated. */
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /** Called before each wait for a retry. */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
}

/** Calls a function of the program without awaiting it. Never throws: what fails goes to `onFailure`. */
export function notify<Event>(
  hook: ((event: Event) => unknown) | undefined,
  event: Event,
  // biome-ignore lint/suspicious/noConsole: nobody else can be told
  onFailure: (error: unknown) => void = (error) => console.error("A hook of a Siteward client failed:", error),
): void {
  // Async, so that what a hook throws is a rejection too.
  const call = async () => hook?.(event);
  call().catch(onFailure);
}
