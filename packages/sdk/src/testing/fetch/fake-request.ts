/** A request that the fake received. */
export interface FakeRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The URL as it was requested. */
  readonly url: string;
  /** The path of the URL, such as `/api/v1/websites/7`. */
  readonly path: string;
  /** The parameters in the query of the URL, such as `{ sort: "asc" }`. */
  readonly query: Readonly<Record<string, string>>;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The fields in the body, from JSON or a form. A string if it is neither, and undefined if there is no body. */
  readonly body: unknown;
  /** The status that the caller got. Undefined until it is answered, and if it gets no response. */
  readonly status: number | undefined;
}
