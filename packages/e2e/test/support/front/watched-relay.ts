import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A relay between a proxy and the server that remembers who closes a connection first. */
export interface WatchedRelay extends AsyncDisposable {
  readonly port: number;
  /** How many connections the proxy has opened. */
  readonly connections: () => number;
  /** Undefined while every connection is open. */
  readonly firstToClose: () => "proxy" | "server" | undefined;
}

export async function startWatchedRelay(serverPort: number): Promise<WatchedRelay> {
  let first: "proxy" | "server" | undefined;
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((proxy) => {
    connections += 1;
    const upstream = connect({ host: "127.0.0.1", port: serverPort });
    const ends = [
      { name: "proxy", socket: proxy, other: upstream },
      { name: "server", socket: upstream, other: proxy },
    ] as const;
    for (const { name, socket, other } of ends) {
      sockets.add(socket);
      const note = () => {
        first ??= name;
      };
      socket
        .on("error", note)
        .on("end", note)
        .on("close", () => sockets.delete(socket));
      socket.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address with that port.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connections: () => connections,
    firstToClose: () => first,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
