import { once } from "node:events";
import { connect } from "node:net";

interface CallerOptions {
  readonly url: URL;
  readonly nextRequest: () => string;
  /** Called with each answer. @returns whether to send another request */
  readonly onAnswer: (status: number, milliseconds: number) => boolean;
}

/** Sends requests over one connection, each when the answer to the one before is complete. */
export async function runCaller({ url, nextRequest, onAnswer }: CallerOptions): Promise<void> {
  const socket = connect(Number(url.port), url.hostname);
  socket.setNoDelay(true);
  await once(socket, "connect");
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const reader = new AnswerReader();
  let sentAtMs = 0;
  const send = () => {
    sentAtMs = performance.now();
    socket.write(nextRequest(), "latin1");
  };
  socket.on("data", (chunk) => {
    const status = reader.read(chunk);
    if (status === undefined) return;
    if (onAnswer(status, performance.now() - sentAtMs)) return send();
    resolve();
    socket.destroy();
  });
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("The server closed a connection before it answered.")));
  send();
  await promise;
}

/** Finds the end of each answer on one connection. Every answer must have a Content-Length. */
class AnswerReader {
  #unread: Buffer | undefined;
  #missingBytes = 0;
  #status = 0;

  /** Reads bytes of an answer. @returns its status if it is complete */
  read(chunk: Buffer): number | undefined {
    if (this.#missingBytes > 0) return this.#readBody(chunk.length);
    const bytes = this.#unread === undefined ? chunk : Buffer.concat([this.#unread, chunk]);
    const headEnd = bytes.indexOf("\r\n\r\n");
    this.#unread = headEnd === -1 ? bytes : undefined;
    if (headEnd === -1) return undefined;
    const head = bytes.toString("latin1", 0, headEnd);
    this.#status = Number(head.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) throw new Error(`The answer has no Content-Length: ${head}`);
    this.#missingBytes = headEnd + "\r\n\r\n".length + Number(length);
    return this.#readBody(bytes.length);
  }

  #readBody(byteCount: number): number | undefined {
    this.#missingBytes -= byteCount;
    if (this.#missingBytes < 0) throw new Error("The server sent more than the answer.");
    return this.#missingBytes === 0 ? this.#status : undefined;
  }
}
