import { createServer, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { listen } from "@siteward/testing/listen";

/** A forward proxy that sends every request to one server on loopback, whatever its host is. */
export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** The requests to the proxy, such as `CONNECT siteward.test:443`, with their `Proxy-Authorization`. */
  readonly requests: readonly { readonly line: string; readonly authorization: string | undefined }[];
}

/**
 * Starts a proxy.
 *
 * @param targetPort the port on loopback that all hosts lead to
 * @param tunnelStatus the status of the answer to CONNECT
 */
export async function startProxy(targetPort: number, tunnelStatus = "200 Connection Established"): Promise<Proxy> {
  const requests: { line: string; authorization: string | undefined }[] = [];
  const record = ({ method, url, headers }: IncomingMessage): void => {
    requests.push({ line: `${method} ${url}`, authorization: headers["proxy-authorization"] });
  };
  const server = createServer((received, response) => {
    record(received);
    const { pathname, search } = new URL(received.url ?? "/");
    const options = { port: targetPort, method: received.method, path: pathname + search, headers: received.headers };
    received.pipe(
      request({ host: "127.0.0.1", ...options }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  const listening = await listen(server);
  server.on("connect", (received, socket: Socket) => {
    record(received);
    socket.on("error", () => undefined).write(`HTTP/1.1 ${tunnelStatus}\r\n\r\n`);
    if (!tunnelStatus.startsWith("200")) {
      socket.end();
      return;
    }
    const tunnel = connect(targetPort, "127.0.0.1").on("error", () => socket.destroy());
    listening.sockets.add(tunnel);
    tunnel.pipe(socket).pipe(tunnel);
  });
  return { ...listening, url: `http://127.0.0.1:${listening.port}`, requests };
}
