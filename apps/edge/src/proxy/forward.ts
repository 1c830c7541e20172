import { Agent, type IncomingMessage, request as open, type RequestOptions, type ServerResponse } from "node:http";
import { addAbortSignal, pipeline } from "node:stream";
import { type Answer, anyOrigin } from "../peers/peer.ts";
import { headersOf } from "./headers.ts";

/** For a visit, and for others, such as a report that the peer makes while its reader waits. */
const [visitMs, pageMs] = [10_000, 300_000];

export type Forwarder = ReturnType<typeof createForwarder>;

/** Sends requests to the peer, and its answers to their clients. @param stop ends what would not end by itself */
export function createForwarder(url: URL, stop: AbortSignal, onFailure: (status: number, why: string) => void) {
  const peer = { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 80) };
  const kept = new Agent({ keepAlive: true });
  const fail = (response: ServerResponse, { code, message }: NodeJS.ErrnoException) => {
    const status = message === "timeout" ? 504 : 502;
    onFailure(status, code ?? message);
    if (response.headersSent) response.destroy();
    else respond(response, { status, headers: anyOrigin, body: "The analytics system does not answer.\n" });
  };
  /** Asks the peer, and passes its answer on. */
  const ask = (response: ServerResponse, options: RequestOptions, isVisit: boolean, onError: typeof fail = fail) => {
    const own = { ...peer, method: response.req.method, setDefaultHeaders: false, ...options };
    const asking = open(own, (answer) => passAnswer(response, answer, isVisit));
    asking.on("timeout", () => asking.destroy(new Error("timeout")));
    return asking.on("error", (error) => onError(response, error));
  };
  /** A visit, whose body is known, is sent also if its client has gone. Any other request ends with its client. */
  const forward = (response: ServerResponse, path: string, headers: string[], body?: Buffer, isRetry = false): void => {
    // Tried again, it gets a connection of its own.
    const [agent, timeout] = [isRetry ? false : kept, body === undefined ? pageMs : visitMs];
    const sent = ask(response, { path, headers, agent, timeout }, body !== undefined, (_response, error) => {
      // The peer closed an idle connection, and read nothing.
      const isUnread = sent.reusedSocket && error.code === "ECONNRESET" && !response.headersSent;
      if (isUnread && !isRetry && body) forward(response, path, headers, body, true);
      else if (body !== undefined || !response.destroyed) fail(response, error);
    });
    sent.on("upgrade", (_answer, upstream) => {
      upstream.destroy();
      fail(response, new Error("It speaks a protocol that it was not asked for."));
    });
    if (body !== undefined) return void sent.end(body.toString("latin1"), "latin1");
    response.on("close", () => sent.destroy());
    response.req.pipe(sent);
  };
  /** Passes a connection through once the peer has agreed to a WebSocket: else it would read visits in it. */
  const upgrade = (response: ServerResponse, head: Buffer, sent: readonly string[]) => {
    const { url: path, socket } = response.req;
    const client = addAbortSignal(stop, socket);
    const headers = [...sent, "Connection", "Upgrade", "Upgrade", "websocket"];
    const onError = (_response: ServerResponse, error: Error) => client.destroyed || fail(response, error);
    const asking = ask(response, { path, headers, agent: false, timeout: visitMs }, false, onError);
    client.on("error", () => undefined).on("close", () => asking.destroy());
    asking.on("upgrade", (answer, upstream, first) => {
      upstream.setTimeout(0);
      response.writeHead(101, answer.rawHeaders).flushHeaders();
      response.detachSocket(client);
      client.write(first);
      upstream.write(head);
      pipeline(client, upstream, client, () => client.destroy());
    });
    asking.end();
  };
  return { forward, upgrade, close: () => kept.destroy() };
}

/** Sends an answer whose body is text of Latin-1, which Node writes at once with its head. */
export function respond(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, "Content-Length": body.length }).end(body, "latin1");
}

function passAnswer(response: ServerResponse, answer: IncomingMessage, isVisit: boolean): void {
  if (response.destroyed) return void answer.resume();
  const { statusCode = 0, headers } = answer;
  // Node reads the status 099, and does not write it.
  response.writeHead(statusCode < 100 ? 502 : statusCode, headersOf(answer));
  answer.on("error", () => response.destroy());
  // A short answer is sent at once with its head.
  if (!isVisit || !(Number(headers["content-length"]) <= 65_536)) return void answer.pipe(response);
  const parts: string[] = [];
  answer.setEncoding("latin1").on("data", (part) => parts.push(part));
  answer.on("end", () => response.end(parts.join(""), "latin1"));
}
