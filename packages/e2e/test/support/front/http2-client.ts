import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { tlsFolder } from "./front-proxy.ts";

/** A connection that speaks HTTP/2, and its requests. */
export interface Http2Client extends AsyncDisposable {
  readonly send: (path: string, request?: Http2Request) => Promise<Http2Answer>;
}

interface Http2Request {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Http2Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const authority = readFileSync(join(tlsFolder, "ca.crt"));

/** @param localAddress the address of this client, any of 127.0.0.0/8 */
export async function openHttp2Client(port: number, localAddress = "127.0.0.1"): Promise<Http2Client> {
  const options = { host: "127.0.0.1", port, localAddress, ca: authority, servername: "localhost" };
  const session = connect(`https://localhost:${port}`, {
    createConnection: () => connectTls({ ...options, ALPNProtocols: ["h2"] }),
  });
  await once(session, "connect");
  // A proxy may end the connection. What is under way then fails, and its error says so.
  session.on("error", () => undefined);
  return {
    send: (path, request) => send(session, path, request),
    async [Symbol.asyncDispose]() {
      session.destroy();
    },
  };
}

async function send(
  session: ClientHttp2Session,
  path: string,
  { method = "GET", headers = {}, body }: Http2Request = {},
): Promise<Http2Answer> {
  const stream = session.request({ ":path": path, ":method": method, ...headers }, { endStream: body === undefined });
  if (body !== undefined) stream.end(body);
  const isLost = once(stream, "close").then(() => {
    throw new Error(`${method} ${path} was not answered.`);
  });
  const [received] = await Promise.race([once(stream, "response"), isLost]);
  return { status: received[":status"], headers: received, text: await text(stream) };
}
