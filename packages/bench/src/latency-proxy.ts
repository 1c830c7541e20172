import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

interface LatencyProxyOptions {
  /** The URL of the server to reach, such as `postgres://user@127.0.0.1:5432/database`. */
  readonly target: string;
  /** How much longer each round trip takes, in milliseconds. The timers of Node.js make it about 0.1 ms more. */
  readonly delayMs: number;
}

/** A proxy that puts a distance between a program on this machine and a server on the same machine. */
interface LatencyProxy extends AsyncDisposable {
  /** The URL of the target through the proxy. */
  readonly url: string;
  readonly port: number;
}

/**
 * Starts a proxy in this process that delays what programs send. Answers pass without a delay, because two shorter delays
 * would each be rounded up to the milliseconds of the timers.
 */
export async function startLatencyProxy({ target, delayMs }: LatencyProxyOptions): Promise<LatencyProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((program) => {
    const distant = connect(Number(port), hostname);
    // Timers of the same length run in order, so bytes stay in order.
    program.on("data", (sent) => setTimeout(() => distant.write(sent), delayMs));
    distant.on("data", (answer) => program.write(answer));
    for (const [socket, other] of [
      [program, distant],
      [distant, program],
    ] as const) {
      // Nagle's algorithm would add a delay of its own.
      socket.setNoDelay(true);
      sockets.add(socket);
      // A reset also emits "close".
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("A TCP server has an address.");
  return {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${address.port}` }).href,
    port: address.port,
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
