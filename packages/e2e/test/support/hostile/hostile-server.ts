import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";

/** A request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
}

/** What a server does to its callers. */
export interface Behavior {
  readonly onConnection?: (socket: Socket) => void;
  /** Called with each complete request. */
  readonly onRequest?: (socket: Socket, request: SeenRequest) => void;
}

/** A server on a real socket, which reads HTTP and need not speak it. */
export interface HostileServer extends AsyncDisposable {
  readonly url: string;
}

/** Starts a server that reads requests and does what the behavior says. Nothing answers them but that. */
export async function startHostileServer({ onConnection, onRequest }: Behavior): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const server = createServer(async (incoming) => {
    const { method = "", url: path = "", socket } = incoming;
    await text(incoming);
    onRequest?.(socket, { method, path });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    // Callers reset connections when they give up.
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    onConnection?.(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address with that port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
