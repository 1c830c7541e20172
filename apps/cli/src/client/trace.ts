import type { Fetch, RetryEvent } from "@siteward/sdk";
import { safeText } from "../output/safe-text.ts";
import { type Io, writeMessage } from "../process/io.ts";

/** Creates what prints each request, response and retry on stderr, for `--verbose`: no body, no API key and no cookie. */
export function createTrace(io: Io, apiKey: string) {
  const print = (mark: string, text: string, headers: readonly Header[] = []): Promise<void> => {
    const lines = [
      text,
      ...headers.map(([name, value]) => `${name}: ${secretHeaders.includes(name) ? "[hidden]" : value}`),
    ];
    const marked = lines.map((line) => `${mark} ${safeText(line.replaceAll(apiKey, "[API key]"))}\n`);
    return writeMessage(io, marked.join(""));
  };
  return {
    /** Returns a `fetch` that prints what is sent and received. */
    wrap:
      (send: Fetch): Fetch =>
      async (url, init) => {
        await print(">", `${init.method} ${url}`, Object.entries(init.headers));
        const startMs = performance.now();
        const elapsed = (): string => `after ${Math.round(performance.now() - startMs)} ms`;
        try {
          const response = await send(url, init);
          await print("<", `${response.status} ${elapsed()}`, [...response.headers]);
          return response;
        } catch (error) {
          await print("<", `No response ${elapsed()}: ${error instanceof Error ? error.message : String(error)}`);
          throw error;
        }
      },
    onRetry: ({ error: { code }, delayMs }: RetryEvent) => print("<", `Retrying in ${delayMs} ms after ${code}`),
  };
}

type Header = readonly [name: string, value: string];

const secretHeaders = ["authorization", "cookie", "proxy-authorization", "set-cookie"];
