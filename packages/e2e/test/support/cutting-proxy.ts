import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy in front of a server, which ends connections in the middle of answers. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** How many bytes the server answered, for each request in order. */
  readonly answerBytes: readonly number[];
}

/**
 * Starts a proxy for requests that each use a connection of their own.
 *
 * @param chooseMissing returns how many bytes of the answer to this request are missing at its end; 0 if none. Every other
 * cut resets the connection instead of closing it.
 */
export async function startCuttingProxy(
  target: string,
  chooseMissing: (requestHead: string) => number,
): Promise<CuttingProxy> {
  const answerBytes: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: "127.0.0.1", port: Number(new URL(target).port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // A reset connection is what this proxy is for.
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    }
    let request = "";
    client.on("data", (chunk) => {
      request += chunk.toString("latin1");
      upstream.write(chunk);
    });
    client.on("close", () => upstream.destroy());
    const received: Buffer[] = [];
    upstream.on("data", (chunk) => received.push(chunk));
    // The server closes the connection after its answer, so the answer is complete here.
    upstream.on("end", () => {
      const answer = Buffer.concat(received);
      const length = Math.max(0, answer.length - chooseMissing(request));
      answerBytes.push(answer.length);
      if (length < answer.length && length % 2 === 1)
        client.write(answer.subarray(0, length), () => client.resetAndDestroy());
      else client.end(answer.subarray(0, length));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address with that port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    answerBytes,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
