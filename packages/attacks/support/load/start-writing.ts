import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface WritingOptions {
  readonly url: string;
  readonly apiKey: string;
  /** How many requests it sends at a time. */
  readonly writers: number;
  /** Part of every domain, so that runs on one database do not share domains. */
  readonly name: string;
  /** What each create contains besides its domain. */
  readonly fields?: object;
}

/** What the writers of one account saw. */
export interface Written {
  /** How long each create took. */
  readonly timesMs: readonly number[];
  /** When each of those with a 201 was answered, in milliseconds since 1970. */
  readonly createdAtMs: readonly number[];
  /** Creates with an answer other than 201, or without one. */
  readonly failed: number;
  /** Those of them that may be sent again: with a 503 and Retry-After. */
  readonly refused: number;
}

/** Writers of one account, which create websites until they are stopped. */
interface Writing {
  stop(): Promise<Written>;
  /** Closes the connections instead of waiting for the last answers, which do not count. */
  leave(): Promise<Written>;
}

/**
 * Starts writers on a thread of their own: on the event loop of 500 others, an answer would wait for as long as in the server.
 * Resolves once all of their connections are open.
 */
export async function startWriting(options: WritingOptions): Promise<Writing> {
  const thread = new Worker(new URL("./writing-program.ts", import.meta.url), { workerData: options });
  await once(thread, "message");
  const end = async (how: "stop" | "leave") => {
    const written = once(thread, "message");
    thread.postMessage(how);
    const [message] = await written;
    return message;
  };
  return { stop: () => end("stop"), leave: () => end("leave") };
}
