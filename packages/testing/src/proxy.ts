import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { listen } from "./listen.ts";

/** A TCP proxy in front of a server or a database, which fails as a network does. */
export interface Proxy extends AsyncDisposable {
  /** The URL of the target with the address of the proxy. */
  readonly url: string;
  readonly port: number;
}

/** A connection through a proxy. */
export interface ProxiedConnection {
  readonly client: Socket;
  /** Resets both ends. */
  cut(): void;
}

/**
 * Called with bytes in the order of their arrival, the next ones after it has settled. Returns the bytes to pass on, such as a part
 * of them; none are passed on for undefined. It holds or delays what it does not resolve yet.
 */
export type Pass = (bytes: Buffer) => Buffer | undefined | Promise<Buffer | undefined>;

/** What happens to the bytes of a connection. Without a function, they pass. */
export interface Passage {
  readonly sent?: Pass;
  readonly answered?: Pass;
}

/**
 * Starts a proxy on a free port of the loopback interface.
 *
 * @param target such as `http://127.0.0.1:3000` or `postgres://postgres@127.0.0.1:5432/test`
 * @param open called for each connection
 */
export async function startProxy(
  target: string,
  open: (connection: ProxiedConnection) => Passage = () => ({}),
): Promise<Proxy> {
  const { hostname, port: targetPort } = new URL(target);
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(targetPort), allowHalfOpen: true, noDelay: true });
    const ends = [client, upstream];
    const cut = () => {
      for (const end of ends) end.resetAndDestroy();
    };
    for (const [end, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      // A reset also emits "close".
      end.on("error", () => undefined).on("close", () => other.destroySoon());
    }
    const { sent, answered } = open({ client, cut });
    void pump(client, upstream, sent);
    void pump(upstream, client, answered);
  });
  const listening = await listen(server);
  const { port } = listening;
  const url = Object.assign(new URL(target), { host: `127.0.0.1:${port}` }).href.replace(/\/$/, "");
  return { url, port, [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]() };
}

async function pump(from: Socket, to: Socket, pass: Pass = (bytes) => bytes): Promise<void> {
  try {
    for await (const bytes of from) {
      const passed = await pass(bytes);
      if (passed !== undefined && passed.length > 0 && !to.write(passed)) await once(to, "drain");
    }
    to.end();
  } catch {
    // One end is closed, so the other one is too.
    to.destroy();
  }
}
