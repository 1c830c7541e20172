import { fileURLToPath } from "node:url";
import { type RunningProcess, startProcess } from "@siteward/testing/start-process";

const program = fileURLToPath(new URL("../../../../examples/collector/main.ts", import.meta.url));

/** What a browser of a visitor sends. */
export const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
export const token = "a-token-of-the-operator";

/** A collector in its own process. */
export interface Collector extends RunningProcess {
  readonly url: string;
  /** What it has written to standard error. */
  readonly errors: () => string;
  /** Sends a visit as a stranger's browser does. */
  readonly send: (url: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;
  /** Reports a visit with the token, and returns what the collector says about it. */
  readonly judge: (visit: Readonly<Record<string, string>>) => Promise<string | null>;
  /** The visits that it has written to standard output. */
  readonly lines: () => readonly Readonly<Record<string, unknown>>[];
}

/** Starts the collector in a folder, and waits until it listens. */
export async function startCollector(
  folder: string,
  service: { readonly apiKey: string; readonly url: string },
  settings: Readonly<Record<string, string>> = {},
): Promise<Collector> {
  const variables = { SITEWARD_API_KEY: service.apiKey, SITEWARD_BASE_URL: service.url };
  const env = { COLLECTOR_PORT: "0", COLLECTOR_TOKEN: token, COLLECTOR_INTERVAL_MS: "200", ...settings };
  const collector = startProcess([process.execPath, program], {
    cwd: folder,
    env: { ...process.env, ...variables, ...env },
    stdin: "",
  });
  const [line = "", url = ""] =
    /^The collector is .* (\S+)\n/.exec(await collector.printed(" is listening on ", "stderr")) ?? [];

  const send: Collector["send"] = (page, headers = {}) => {
    const body = JSON.stringify({ url: page });
    return fetch(`${url}/event`, { method: "POST", body, headers: { "user-agent": browser, ...headers } });
  };
  const judge: Collector["judge"] = async (visit) => {
    const body = JSON.stringify({ user_agent: browser, ...visit });
    const response = await fetch(`${url}/event`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${token}` },
    });
    return response.headers.get("x-siteward-verdict");
  };
  return {
    ...collector,
    url,
    send,
    judge,
    errors: () => collector.written.stderr.slice(line.length),
    lines: () =>
      collector.written.stdout
        .split("\n")
        .filter(Boolean)
        .map((text) => JSON.parse(text)),
  };
}
