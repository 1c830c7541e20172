/** A request as the service received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array;
}
