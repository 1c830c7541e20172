import { Agent, type IncomingMessage, request as open, type ServerResponse } from "node:http";
import { type Answer, anyOrigin } from "../peers/peer.ts";
import { headersOf } from "./headers.ts";
import type { InFlight } from "./in-flight.ts";

/** For a visit, and for others, such as a report that the peer makes while its reader waits. */
const [visitMs, pageMs] = [10_000, 300_000];

export type OnFailure = (status: number, why: string) => void;

/** Sends requests to the peer, and its answers to their clients. */
export function createForward(url: URL, inFlight: InFlight, onFailure: OnFailure) {
  const peer = { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 80) };
  const kept = new Agent({ keepAlive: true });
  const fail = (response: ServerResponse, { code, message }: NodeJS.ErrnoException) => {
    const status = message === "timeout" ? 504 : 502;
    onFailure(status, code ?? message);
    if (response.headersSent) response.destroy();
    else respond(response, { status, headers: anyOrigin, body: "The analytics system does not answer.\n" });
  };
  /** A visit, whose body is known, is sent also if its client has gone. Any other request ends with its client. */
  return function forward(response: ServerResponse, path: string, headers: string[], visit?: Buffer, isRetry = false) {
    // Tried again, it gets a connection of its own.
    const [agent, timeout] = [isRetry ? false : kept, visit ? visitMs : pageMs];
    const options = { ...peer, method: response.req.method, path, headers, agent, timeout, setDefaultHeaders: false };
    const sent = open(options, (answer) => passAnswer(response, answer, visit !== undefined));
    if (visit) inFlight.waitFor(response.req.socket, sent);
    sent.on("timeout", () => sent.destroy(new Error("timeout")));
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The peer closed an idle connection, and read nothing.
      const isUnread = sent.reusedSocket && error.code === "ECONNRESET" && !response.headersSent;
      if (isUnread && !isRetry && visit) forward(response, path, headers, visit, true);
      else if (visit || !response.destroyed) fail(response, error);
    });
    sent.on("upgrade", (_answer, upstream) => {
      upstream.destroy();
      fail(response, new Error("It speaks a protocol that it was not asked for."));
    });
    if (visit) return void sent.end(visit.toString("latin1"), "latin1");
    response.on("close", () => sent.destroy() && response.req.resume());
    response.req.pipe(sent);
  };
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
  answer.on("data", (part: Buffer) => parts.push(part.toString("latin1")));
  answer.on("end", () => response.end(parts.join(""), "latin1"));
}
