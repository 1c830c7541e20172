import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface WritingOptions {
  readonly url: string;
  readonly apiKey: string;
  /** How many requests it sends at a time. */
  readonly writers: number;
  /** Part of every domain, so that runs on one database do not share domains. */
  readonly name: string;
}

/** What the writers of one account saw. */
export interface Written {
  /** How long each create took. */
  readonly timesMs: readonly number[];
  /** Creates with an answer other than 201, or without one. */
  readonly failed: number;
}

/** Writers of one account, which create websites until they are stopped. */
interface Writing {
  stop(): Promise<Written>;
}

/**
 * Starts writers on a thread of their own: on the event loop of 500 others, an answer would wait for as long as in the server.
 * Resolves once all of their connections are open.
 */
export async function startWriting(options: WritingOptions): Promise<Writing> {
  const thread = new Worker(new URL("./writing-program.ts", import.meta.url), { workerData: options });
  await once(thread, "message");
  return {
    stop: async () => {
      const written = once(thread, "message");
      thread.postMessage("stop");
      const [message] = await written;
      return message;
    },
  };
}
