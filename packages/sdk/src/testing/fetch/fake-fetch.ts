/** A function with the signature of the standard `fetch`. */
export type FakeFetch = (input: string | URL | FakeFetchInput, init?: FakeFetchOptions) => Promise<Response>;

/** A standard `Request`. */
export interface FakeFetchInput {
  /** The URL to request. */
  readonly url: string;
}

/** A standard `RequestInit`: what the fake reads of it. */
export interface FakeFetchOptions {
  /** The HTTP method. */
  readonly method?: string | undefined;
  /** The headers: an object, pairs, or a `Headers` object. */
  readonly headers?: unknown;
  /** The body, such as JSON. */
  readonly body?: unknown;
  /** Ends the wait for the response. */
  readonly signal?: AbortSignal | null | undefined;
}
