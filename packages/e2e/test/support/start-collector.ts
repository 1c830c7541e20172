import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../../../examples/collector/main.ts", import.meta.url));

/** What a browser of a visitor sends. */
export const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
export const token = "a-token-of-the-operator";
const stopTimeoutMs = 20_000;

/** A collector in its own process. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  /** What it has written to standard error. */
  readonly errors: () => string;
  /** Sends a visit as a stranger's browser does. */
  readonly send: (url: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;
  /** Reports a visit with the token, and returns what the collector says about it. */
  readonly judge: (visit: Readonly<Record<string, string>>) => Promise<string | null>;
  /** The visits that it has written to standard output. */
  readonly lines: () => readonly Readonly<Record<string, unknown>>[];
  /** Ends it as a service manager does, and returns its exit code: null if it does not end, and is killed. */
  readonly stop: () => Promise<number | null>;
}

/** Starts the collector in a folder, and waits until it listens. */
export async function startCollector(
  folder: string,
  service: { readonly apiKey: string; readonly url: string },
  settings: Readonly<Record<string, string>> = {},
): Promise<Collector> {
  const variables = { SITEWARD_API_KEY: service.apiKey, SITEWARD_BASE_URL: service.url };
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: {
      ...process.env,
      ...variables,
      COLLECTOR_PORT: "0",
      COLLECTOR_TOKEN: token,
      COLLECTOR_INTERVAL_MS: "200",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  const ended = once(child, "close");
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      errors += chunk;
      const [line, address] = /^The collector is listening on (\S+)\n/.exec(errors) ?? [];
      if (line === undefined || address === undefined) return;
      errors = errors.slice(line.length);
      resolve(address);
    });
    child.on("close", (code) => reject(new Error(`The collector ended with ${code}: ${errors}`)));
  });

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
  const stop: Collector["stop"] = async () => {
    if (child.exitCode === null) child.kill();
    const timer = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
    const [code] = await ended.finally(() => clearTimeout(timer));
    return code;
  };
  return {
    url,
    send,
    judge,
    stop,
    errors: () => errors,
    lines: () =>
      output
        .split("\n")
        .filter(Boolean)
        .map((text) => JSON.parse(text)),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
