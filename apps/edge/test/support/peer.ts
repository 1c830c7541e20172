import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { type Listening, listen } from "@siteward/testing/listen";

/** A request as it arrived. The path has the query, byte for byte. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Stands for the analytics system: it keeps what arrives. */
export interface Peer extends Listening {
  readonly server: Server;
  /** Returns what has arrived since the last call. */
  take(): Arrived[];
}

/** @param answer what it answers once a whole request has arrived. Default: 200. */
export async function startPeer(answer: RequestListener = (_, response) => response.end("ok")): Promise<Peer> {
  const arrived: Arrived[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    arrived.push({ method, path, headers, body });
    answer(request, response);
  });
  return Object.assign(await listen(server), { server, take: () => arrived.splice(0) });
}
