import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../random.ts";

/** What happens to the requests on their way. */
export type Weather = "fine" | "away" | "errors" | "refused key" | "slow answers" | "half answers" | "never changes";

/** A proxy between a mirror and the server that makes requests fail. */
export class FaultyProxy implements AsyncDisposable {
  weather: Weather = "fine";
  /** The URL of the server. */
  target = "";
  readonly #random: Random;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #port = 0;

  private constructor(random: Random) {
    this.#random = random;
  }

  static async start(random: Random): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(random);
    await proxy.#listen();
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Changes what happens, also to requests that are on their way. While it is away, nothing listens. */
  async change(weather: Weather): Promise<void> {
    const wasAway = this.weather === "away";
    this.weather = weather;
    if (weather === "away" && !wasAway) await this.#close();
    if (weather !== "away" && wasAway) await this.#listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.weather !== "away") await this.#close();
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    // A server that listens on a port has an address with that port.
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async #close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const tag = request.headers["if-none-match"];
    if (this.weather === "slow answers") await sleep(this.#random.integer(0, 2_000));
    if (this.weather === "errors") return void response.writeHead(500).end("<h1>Internal server error</h1>");
    if (this.weather === "never changes" && tag !== undefined) return void response.writeHead(304).end();
    try {
      const key = this.weather === "refused key" ? "Bearer swk_refused" : (request.headers.authorization ?? "");
      const headers = { authorization: key, ...(tag !== undefined && { "if-none-match": tag }) };
      const answer = await fetch(`${this.target}${request.url}`, { headers });
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { ...readKept(answer.headers), "content-length": body.length });
      if (this.weather !== "half answers") return void response.end(body);
      response.write(body.subarray(0, body.length / 2));
      response.destroy();
    } catch {
      response.destroy();
    }
  }
}

function readKept(headers: Headers): Record<string, string> {
  const names = ["content-type", "etag", "retry-after"];
  return Object.fromEntries(
    names.flatMap((name) => [[name, headers.get(name) ?? ""]]).filter(([, value]) => value !== ""),
  );
}
