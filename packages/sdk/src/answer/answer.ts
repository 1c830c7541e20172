import type { HttpAnswer } from "../request/send-once.ts";

/** A successful answer to a call. */
export interface Answer extends HttpAnswer {
  /** Method and address of the request, for messages. */
  readonly place: string;
  /** How often the request was repeated before this answer came. */
  readonly retryCount: number;
}
