import type { Fetch, RetryEvent } from "@siteward/sdk";
import { areMessagesJson } from "../output/formats.ts";
import { jsonText } from "../output/json.ts";
import type { OutputFlags } from "../output/output.ts";
import { safeText } from "../output/safe-text.ts";
import { type Io, writeMessage } from "../process/io.ts";

/** Prints each request and response on stderr, for `--verbose`: no body, no API key and no cookie. */
export interface Trace {
  /** Returns a `fetch` that prints what is sent and received. */
  readonly wrap: (send: Fetch) => Fetch;
  readonly onRetry: (event: RetryEvent) => Promise<void>;
}

/** Creates the trace of a client: lines of text, or one line of JSON for each event if errors are JSON too. */
export function createTrace(io: Io, flags: OutputFlags, apiKey: string): Trace {
  const format = areMessagesJson(flags.output, io) ? formatJson : formatText;
  const print = (entry: Entry): Promise<void> => writeMessage(io, format(entry).replaceAll(apiKey, "[API key]"));
  return {
    wrap: (send) => async (url, init) => {
      const { method, headers } = init;
      const sent = hide(Object.entries(headers));
      await print({ kind: "request", text: `${method} ${url}`, details: { method, url }, headers: sent });
      const startMs = performance.now();
      try {
        const response = await send(url, init);
        await print(describeResponse(response, elapsedMs(startMs)));
        return response;
      } catch (error) {
        await print(describeFailure(error, elapsedMs(startMs)));
        throw error;
      }
    },
    onRetry: ({ error: { code }, delayMs }) =>
      print({ kind: "retry", text: `Retrying in ${delayMs} ms after ${code}`, details: { delay_ms: delayMs, code } }),
  };
}

/** An event: as text for people, and in detail for programs. */
interface Entry {
  readonly kind: "request" | "response" | "failure" | "retry";
  readonly text: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

function describeResponse({ status, headers }: Response, durationMs: number): Entry {
  const shown = hide([...headers]);
  const { "x-request-id": requestId } = shown;
  return {
    kind: "response",
    text: `${status} after ${durationMs} ms${requestId === undefined ? "" : `, request ID ${requestId}`}`,
    details: { status, duration_ms: durationMs, request_id: requestId },
    headers: shown,
  };
}

function describeFailure(error: unknown, durationMs: number): Entry {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    kind: "failure",
    text: `No response after ${durationMs} ms: ${reason}`,
    details: { error: reason, duration_ms: durationMs },
  };
}

function elapsedMs(startMs: number): number {
  return Math.round(performance.now() - startMs);
}

/** Headers whose value is a secret. */
const secretHeaders: readonly string[] = ["authorization", "cookie", "proxy-authorization", "set-cookie"];

function hide(headers: readonly (readonly [name: string, value: string])[]): Readonly<Record<string, string>> {
  return Object.fromEntries(headers.map(([name, value]) => [name, secretHeaders.includes(name) ? "[hidden]" : value]));
}

function formatText({ kind, text, headers = {} }: Entry): string {
  const mark = kind === "request" ? ">" : "<";
  const lines = [text, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return lines.map((line) => `${mark} ${safeText(line)}\n`).join("");
}

function formatJson({ kind, details, headers }: Entry): string {
  return `${jsonText({ [kind]: { ...details, headers } })}\n`;
}
