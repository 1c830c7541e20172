import { type Proxy as NetworkProxy, type ProxiedConnection, startProxy } from "@siteward/testing/proxy";

/** A proxy between a program and its database that fails as a network does. */
export interface FaultyNetwork extends NetworkProxy {
  /**
   * Cuts the connection at the next message of a program that contains `text`: `before` it reaches the database, or `after`,
   * so that the database runs it and the answer is lost. Later connections are not cut.
   */
  cutNext(text: string, when: "before" | "after"): void;
  /** Silently stops all traffic, or continues where it stopped. */
  freeze(isFrozen: boolean): void;
  /** Silently stops all traffic at the next message of a program that contains `text`, which still reaches the database. */
  freezeAt(text: string): void;
}

export async function startFaultyNetwork(databaseUrl: string): Promise<FaultyNetwork> {
  let cutting: { readonly text: string; readonly when: "before" | "after" } | undefined;
  let freezingText: string | undefined;
  let frozen = Promise.withResolvers<void>();
  const freeze = (isFrozen: boolean) => {
    frozen.resolve();
    frozen = Promise.withResolvers();
    if (!isFrozen) frozen.resolve();
  };
  freeze(false);
  const open = ({ cut }: ProxiedConnection) => {
    let isAnswerLost = false;
    return {
      async sent(bytes: Buffer) {
        await frozen.promise;
        if (freezingText !== undefined && bytes.includes(freezingText)) {
          freezingText = undefined;
          freeze(true);
        }
        if (cutting === undefined || !bytes.includes(cutting.text)) return bytes;
        isAnswerLost = true;
        if (cutting.when === "before") cut();
        cutting = undefined;
        return bytes;
      },
      async answered(bytes: Buffer) {
        await frozen.promise;
        if (isAnswerLost) cut();
        return isAnswerLost ? undefined : bytes;
      },
    };
  };
  return {
    ...(await startProxy(databaseUrl, open)),
    cutNext: (text, when) => {
      cutting = { text, when };
    },
    freeze,
    freezeAt: (text) => {
      freezingText = text;
    },
  };
}
