import { connect } from "node:net";
import type { Served } from "../measure/measure-load.ts";

/** The server accepts this many unanswered requests on one connection. */
const requestsPerConnection = 32;

/** Opens connections that ask for long pages and never read the answers, until they are disposed. */
export function openUnreadConnections({ server, database }: Served, count: number): Disposable {
  const { hostname, port, host } = new URL(server.url);
  const request = `GET /api/v1/websites?per_page=100 HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${database.apiKey}\r\n\r\n`;
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname).pause();
    // The server may end a connection whose answers nobody reads.
    socket.on("error", () => undefined);
    socket.write(request.repeat(requestsPerConnection));
    return socket;
  });
  return {
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
