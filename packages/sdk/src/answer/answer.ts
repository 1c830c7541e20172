/** An answer as it came over the wire, whole and without any echo of the API key. */
export interface HttpAnswer {
  /** Method and URL of the request, for messages. Without the query, which may contain what the user searches for. */
  readonly endpoint: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A successful answer to a call. */
export interface Answer extends HttpAnswer {
  /** How often the request was repeated before this answer came. */
  readonly retryCount: number;
}

/** @returns the value, or undefined where the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
