import { type DatabaseProxy, startDatabaseProxy } from "../database-proxy.ts";

/** A proxy between storage and its database that counts round trips. */
export interface RoundTripCounter extends DatabaseProxy {
  /** Runs `work` and returns how often a connection sent something after an answer, which is when it waits for the network. */
  count(work: () => Promise<unknown>): Promise<number>;
}

export async function startRoundTripCounter(databaseUrl: string): Promise<RoundTripCounter> {
  let total = 0;
  const proxy = await startDatabaseProxy(databaseUrl, ({ database }) => {
    let isWaiting = false;
    return {
      onSent(sent) {
        if (!isWaiting) total += 1;
        isWaiting = true;
        database.write(sent);
      },
      onAnswer() {
        isWaiting = false;
      },
    };
  });
  return {
    ...proxy,
    async count(work) {
      const before = total;
      await work();
      return total - before;
    },
  };
}
