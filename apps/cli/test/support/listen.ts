import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";

/** A server on loopback that ends with the test, with its connections. */
export interface Listening extends AsyncDisposable {
  readonly port: number;
  readonly sockets: Set<Socket>;
}

/** Lets a server listen on a free port. */
export async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => void sockets.add(socket.on("error", () => undefined)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a server that listens on a port has one. Node's type also covers pipes.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    sockets,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
