import { Agent, type IncomingMessage, request as open, ServerResponse } from "node:http";
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
  /** A visit, whose body is known, is sent also if its client has gone. Any other request ends with its client. */
  const forward = (response: ServerResponse, path: string, headers: string[], body?: Buffer, isRetry = false): void => {
    // Tried again, it gets a connection of its own.
    const [agent, timeout] = [isRetry ? false : kept, body === undefined ? pageMs : visitMs];
    const options = { ...peer, method: response.req.method, path, headers, agent, timeout, setDefaultHeaders: false };
    const sent = open(options, (answer) => passAnswer(response, answer, body !== undefined));
    sent.on("timeout", () => sent.destroy(new Error("timeout")));
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The peer closed an idle connection, and read nothing.
      const isUnread = sent.reusedSocket && error.code === "ECONNRESET" && !response.headersSent;
      if (isUnread && !isRetry && body) forward(response, path, headers, body, true);
      else if (body !== undefined || !response.destroyed) fail(response, error);
    });
    if (body !== undefined) return void sent.end(body.toString("latin1"), "latin1");
    response.on("close", () => sent.destroy());
    response.req.pipe(sent);
  };
  /** Passes a connection through once the peer has agreed, such as a WebSocket: else it would read visits in it. */
  const upgrade = (request: IncomingMessage, head: Buffer, sent: readonly string[]) => {
    const client = request.socket.on("error", () => undefined).on("close", () => asking.destroy());
    const response = new ServerResponse(request).on("finish", () => client.end());
    response.assignSocket(client);
    response.shouldKeepAlive = false;
    const headers = [...sent, "Connection", "Upgrade", "Upgrade", request.headers.upgrade ?? ""];
    const options = { ...peer, method: request.method, path: request.url, headers, setDefaultHeaders: false };
    const asking = open(options, (answer) => passAnswer(response, answer, false));
    asking.on("upgrade", (answer, upstream, first) => {
      response.writeHead(101, answer.rawHeaders).flushHeaders();
      response.detachSocket(client);
      client.write(first);
      upstream.write(head);
      pipeline(addAbortSignal(stop, client), upstream, client, () => client.destroy());
    });
    asking.on("error", (error) => client.destroyed || fail(response, error)).end();
  };
  return { forward, upgrade, close: () => kept.destroy() };
}

/** Sends an answer whose body is text of Latin-1, which Node writes at once with its head. */
export function respond(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, "Content-Length": body.length }).end(body, "latin1");
}

function passAnswer(response: ServerResponse, answer: IncomingMessage, isVisit: boolean): void {
  if (response.destroyed) return void answer.resume();
  const { statusCode = 502, statusMessage, headers } = answer;
  answer.on("error", () => response.destroy());
  response.writeHead(statusCode, statusMessage, headersOf(answer));
  // A short answer is sent at once with its head.
  if (!isVisit || !(Number(headers["content-length"]) <= 65_536)) return void answer.pipe(response);
  const parts: string[] = [];
  answer.setEncoding("latin1").on("data", (part) => parts.push(part));
  answer.on("end", () => response.end(parts.join(""), "latin1"));
}
