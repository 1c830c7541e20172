import { addCall, SitewardError } from "../errors/siteward-error.ts";
import { type RateLimit, readRateLimit } from "../response-headers.ts";
import type { Answer } from "./answer.ts";

/** Status, headers and IDs of the response that a result came with. */
export interface ResponseInfo {
  /** The HTTP status. */
  readonly status: number;
  /** All headers of the response. */
  readonly headers: Headers;
  /** The entity tag of what was returned, with its quotes, for `ifMatch`. Undefined if there is none. */
  readonly etag: string | undefined;
  /** Identifies the request in the server's log. Undefined if the response has no ID. */
  readonly requestId: string | undefined;
  /** How many times the request was retried before this response: 0 if the first attempt succeeded. */
  readonly retryCount: number;
  /** How much of the API key's rate limit is left. Undefined if the response does not say. */
  readonly rateLimit: RateLimit | undefined;
}

/** A result together with the response that it came with. */
export interface WithResponse<Data> {
  /** What the call resolves with, if you await it alone. */
  readonly data: Data;
  /** Status, headers and IDs of its response. */
  readonly response: ResponseInfo;
}

/** A result, and the response from which it was read. */
export interface Received<Data> {
  readonly data: Data;
  readonly answer: Answer;
}

/**
 * A promise of a result. `withResponse` also returns the status and headers of the response.
 *
 * @example
 * const website = await siteward.websites.get(7);
 * const { data, response } = await siteward.websites.get(7).withResponse();
 */
export class ApiPromise<Data> implements Promise<Data> {
  readonly #start: () => Promise<Received<Data>>;
  #received: Promise<Received<Data>> | undefined;

  /** @internal */
  static of<Data>(answer: Promise<Answer>, read: (answer: Answer) => Data): ApiPromise<Data> {
    const received = receive(answer, read);
    return new ApiPromise(() => received);
  }

  /** @internal */
  protected constructor(start: () => Promise<Received<Data>>) {
    this.#start = start;
  }

  get [Symbol.toStringTag](): string {
    return "ApiPromise";
  }

  /**
   * Returns the result together with the status, headers, entity tag and request ID of the response. Sends no second
   * request.
   *
   * @throws the error of the call
   * @example
   * const { data, response } = await siteward.account.get().withResponse();
   */
  withResponse(): Promise<WithResponse<Data>> {
    return this.#settle(({ data, answer }) => ({ data, response: readResponseInfo(answer) }));
  }

  // biome-ignore lint/suspicious/noThenProperty: this class exists to be awaited
  then<Result = Data, Failure = never>(
    onFulfilled?: ((data: Data) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#settle(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<Failure = never>(
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Data | Failure> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onFinally);
  }

  #settle<Result>(read: (received: Received<Data>) => Result): Promise<Result> {
    this.#received ??= this.#start();
    return this.#received.then(read);
  }
}

/** Reads the result from the response as soon as it is there. */
export async function receive<Data>(sent: Promise<Answer>, read: (answer: Answer) => Data): Promise<Received<Data>> {
  const answer = await sent;
  try {
    return { data: read(answer), answer };
  } catch (error) {
    throw error instanceof SitewardError ? addCall(error, answer.call) : error;
  }
}

/** Returns what a caller sees of a response besides its body. */
function readResponseInfo({ status, readHeaders, call }: Answer): ResponseInfo {
  const headers = readHeaders();
  return {
    status,
    headers,
    etag: headers.get("etag") ?? undefined,
    requestId: headers.get("x-request-id") ?? undefined,
    retryCount: call.attempts - 1,
    rateLimit: readRateLimit(headers),
  };
}
