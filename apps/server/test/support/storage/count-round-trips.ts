import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { listenInFrontOf } from "../listen-in-front-of.ts";

/** A proxy between storage and its database that counts round trips. */
export interface RoundTripCounter extends AsyncDisposable {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** Runs `work` and returns how often a connection sent something after an answer, which is when it waits for the network. */
  count(work: () => Promise<unknown>): Promise<number>;
}

export async function startRoundTripCounter(databaseUrl: string): Promise<RoundTripCounter> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let total = 0;
  const server = createServer((program) => {
    const database = connect(Number(port), hostname);
    let isWaiting = false;
    program.on("data", (sent) => {
      if (!isWaiting) total += 1;
      isWaiting = true;
      database.write(sent);
    });
    database.on("data", (answer) => {
      isWaiting = false;
      program.write(answer);
    });
    for (const [socket, other] of [
      [program, database],
      [database, program],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => other.destroy());
    }
  });
  const url = await listenInFrontOf(databaseUrl, server);
  return {
    url,
    async count(work) {
      const before = total;
      await work();
      return total - before;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
