import type { CallContext } from "../errors/add-call.ts";

/** An HTTP response that was read to its end, with the API key removed wherever the server echoed it. */
export interface Answer {
  /**
   * Method and URL of the request, for error messages. Without the query, which may contain what the user searches for.
   */
  readonly endpoint: string;
  readonly status: number;
  /** Returns a copy of the headers without the key. Most calls read no header, and a copy takes longer than all else. */
  readonly readHeaders: () => Headers;
  readonly text: string;
  /** When it was received, in milliseconds since 1970. */
  readonly receivedMs: number;
  /** The call so far, for an error about this response. */
  readonly call: CallContext;
}

/** @returns the value, or undefined if the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
