import { Agent, type IncomingMessage, request as open, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { type Answer, anyOrigin } from "../peers/peer.ts";
import { headersOf } from "./headers.ts";

/** For a visit, and for others, such as a report that the peer makes while its reader waits. */
const [visitMs, pageMs] = [10_000, 300_000];
/** A shorter answer is sent at once with its head. */
const maxShortBytes = 65_536;

/** Sends requests to the peer, and its answers to their clients. */
export class Forwarder {
  readonly #peer: { readonly host: string; readonly port: number };
  readonly #onFailure: (status: number, error: NodeJS.ErrnoException) => void;
  readonly #agent = new Agent({ keepAlive: true });

  constructor({ hostname, port }: URL, onFailure: (status: number, error: NodeJS.ErrnoException) => void) {
    this.#peer = { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 80) };
    this.#onFailure = onFailure;
  }

  /**
   * A visit is sent also if its client has gone. Any other request ends with its client.
   *
   * @param body of a visit. That of any other request is passed through.
   */
  forward(response: ServerResponse, path: string, headers: string[], body?: Buffer, isRetry = false): void {
    const { method } = response.req;
    // Tried again, it gets a connection of its own.
    const [agent, timeout] = [isRetry ? false : this.#agent, body === undefined ? pageMs : visitMs];
    const options = { ...this.#peer, method, path, headers, agent, timeout, setDefaultHeaders: false };
    const sent = open(options, (answer) => passAnswer(response, answer, body !== undefined));
    sent.on("timeout", () => sent.destroy(new Error("timeout")));
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The peer closed an idle connection, and read nothing.
      const isUnread = sent.reusedSocket && error.code === "ECONNRESET" && !response.headersSent;
      if (isUnread && !isRetry && body) return this.forward(response, path, headers, body, true);
      if (response.destroyed && body === undefined) return;
      const status = error.message === "timeout" ? 504 : 502;
      this.#onFailure(status, error);
      if (response.headersSent) response.destroy();
      else respond(response, { status, headers: anyOrigin, body: "The analytics system does not answer.\n" });
    });
    if (body !== undefined) return void sent.end(body.toString("latin1"), "latin1");
    response.on("close", () => sent.destroy());
    response.req.pipe(sent);
  }

  /** Passes a connection through from here on, such as a WebSocket of the peer's pages. */
  upgrade({ method, url, headers }: IncomingMessage, client: Duplex, head: Buffer, sent: readonly string[]): void {
    const peer = connect(this.#peer);
    const lines = [`${method} ${url} HTTP/1.1`, "Connection: Upgrade", `Upgrade: ${headers.upgrade}`];
    for (let index = 0; index < sent.length; index += 2) lines.push(`${sent[index]}: ${sent[index + 1]}`);
    peer.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
    peer.write(head);
    pipeline(client, peer, client, () => client.destroy());
  }

  close(): void {
    this.#agent.destroy();
  }
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
  if (!isVisit || !(Number(headers["content-length"]) <= maxShortBytes)) return void answer.pipe(response);
  let text = "";
  answer.setEncoding("latin1").on("data", (chunk) => {
    text += chunk;
  });
  answer.on("end", () => response.end(text, "latin1"));
}
