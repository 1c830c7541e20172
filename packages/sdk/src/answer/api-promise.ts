import type { Answer } from "./answer.ts";

/** What an answer says beside its record. */
export interface ResponseInfo {
  /** The HTTP status. */
  readonly status: number;
  /** All headers of the answer. */
  readonly headers: Headers;
  /** The record's entity tag, quotes included; undefined where the answer has none. */
  readonly etag: string | undefined;
  /** Identifies the request in the server's log; undefined where the answer has none. */
  readonly requestId: string | undefined;
  /** How often the request was repeated before this answer came: 0 where the first attempt did it. */
  readonly retryCount: number;
}

/** A result together with the answer it came with. */
export interface WithResponse<Data> {
  readonly data: Data;
  readonly response: ResponseInfo;
}

/** A promise of a result that can also give the answer's status and headers. */
export class ApiPromise<Data> implements Promise<Data> {
  readonly #start: () => Promise<WithResponse<Data>>;
  #outcome: Promise<WithResponse<Data>> | undefined;

  /** @internal */
  static of<Data>(answer: Promise<Answer>, read: (answer: Answer) => Data): ApiPromise<Data> {
    const outcome = answer.then((received) => ({ data: read(received), response: describe(received) }));
    return new ApiPromise(() => outcome);
  }

  /** @internal */
  protected constructor(start: () => Promise<WithResponse<Data>>) {
    this.#start = start;
  }

  get [Symbol.toStringTag](): string {
    return "ApiPromise";
  }

  /**
   * The result together with status, headers, entity tag and request id.
   *
   * @example
   * const { data, response } = await siteward.account.get().withResponse();
   */
  withResponse(): Promise<WithResponse<Data>> {
    this.#outcome ??= this.#start();
    return this.#outcome;
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaited is what this class is for
  then<Result = Data, Failure = never>(
    onFulfilled?: ((data: Data) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.withResponse()
      .then(({ data }) => data)
      .then(onFulfilled, onRejected);
  }

  catch<Failure = never>(
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Data | Failure> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.then().finally(onFinally);
  }
}

function describe({ status, headers, retryCount }: Answer): ResponseInfo {
  return {
    status,
    headers,
    etag: headers.get("etag") ?? undefined,
    requestId: headers.get("x-request-id") ?? undefined,
    retryCount,
  };
}
