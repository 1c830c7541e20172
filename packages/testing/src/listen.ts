import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";

/** A server on loopback that ends with the test, with its connections. */
export interface Listening extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Of all connections so far. */
  readonly sockets: Set<Socket>;
}

/** Lets a server listen on a free port. */
export async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  // Callers reset connections when they give up.
  server.on("connection", (socket) => void sockets.add(socket.on("error", () => undefined)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a server that listens on a port has one. Node's type also covers pipes.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
