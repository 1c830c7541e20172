import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { type Call, callNames, calls } from "./calls.ts";

/** A response of the real server, byte by byte. */
export interface RecordedAnswer {
  readonly method: string;
  /** Tells the list from a single website. */
  readonly hasQuery: boolean;
  readonly status: number;
  readonly headers: Record<string, string>;
  /** As base64. */
  readonly body: string;
}

/** Headers that node:http sends itself. */
const ofConnection = new Set(["connection", "date", "keep-alive", "transfer-encoding"]);

/** Sends each call once to the server, and records the answers. */
export function recordAnswers(url: string, apiKey: string, firstNumber: number): Promise<RecordedAnswer[]> {
  return Promise.all(callNames.map((name) => recordAnswer(calls[name], url, apiKey, firstNumber)));
}

async function recordAnswer({ request: build }: Call, url: string, apiKey: string, number: number) {
  const { path, method = "GET", headers, body = "" } = build(number);
  // What `fetch` accepts decides whether the answer is compressed.
  const sent = { authorization: `Bearer ${apiKey}`, "accept-encoding": "gzip, deflate", ...headers };
  const pending = request(`${url}${path}`, { method, headers: sent }).end(body);
  // The event has one argument, the response.
  const [response] = (await once(pending, "response")) as [IncomingMessage];
  const bytes = await buffer(response);
  const kept = Object.entries(response.headers).filter(([name]) => !ofConnection.has(name));
  const status = response.statusCode ?? 0;
  if (status >= 300) throw new Error(`${method} ${path} got ${status}.`);
  const answerHeaders = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
  return { method, hasQuery: path.includes("?"), status, headers: answerHeaders, body: bytes.toString("base64") };
}
