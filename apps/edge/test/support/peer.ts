import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "@siteward/testing/listen";

/** Starts a server that stands for the analytics system, and keeps what arrives, byte for byte. */
export async function startPeer(answer: RequestListener = (_, response) => response.end("ok")) {
  const arrived: { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    const body = await buffer(request).catch(() => undefined);
    if (body === undefined) return;
    arrived.push({ method, path, headers, body });
    answer(request, response);
  });
  // Takes what has arrived since the last call.
  return Object.assign(await listen(server), { server, take: () => arrived.splice(0) });
}
