import { type Proxy as NetworkProxy, startProxy } from "@siteward/testing/proxy";

/** A proxy between storage and its database that counts round trips. */
export interface RoundTripCounter extends NetworkProxy {
  /** Runs `work` and returns how often a connection sent something after an answer, which is when it waits for the network. */
  count(work: () => Promise<unknown>): Promise<number>;
}

export async function startRoundTripCounter(databaseUrl: string): Promise<RoundTripCounter> {
  let total = 0;
  const proxy = await startProxy(databaseUrl, () => {
    let isWaiting = false;
    return {
      sent(bytes) {
        if (!isWaiting) total += 1;
        isWaiting = true;
        return bytes;
      },
      answered(bytes) {
        isWaiting = false;
        return bytes;
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
