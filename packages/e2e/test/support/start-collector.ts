import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../../../examples/collector/main.ts", import.meta.url));

/** What a browser of a visitor sends. */
export const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
export const token = "a-token-of-the-operator";
const stopTimeoutMs = 20_000;

/** A collector in its own process. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly processId: number;
  readonly errors: () => string;
  /** Sends a visit as a stranger's browser does. */
  readonly send: (url: string, headers?: Readonly<Record<string, string>>) => Promise<Response>;
  /** Reports a visit with the token, and returns what the collector says about it. */
  readonly judge: (visit: Readonly<Record<string, string>>) => Promise<string | null>;
  /** The lines of the file of visits. */
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
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk;
  });
  const ended = once(child, "close");
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended]);
  const url = /listening on (\S+)$/.exec(String(line))?.[1];
  if (url === undefined) throw new Error(`The collector ended with ${child.exitCode}: ${errors}`);

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
  const file = join(folder, settings["COLLECTOR_FILE"] ?? "visits.ndjson");
  const stop: Collector["stop"] = async () => {
    if (child.exitCode === null) child.kill();
    const timer = setTimeout(() => child.kill("SIGKILL"), stopTimeoutMs);
    const [code] = await ended.finally(() => clearTimeout(timer));
    return code;
  };
  return {
    url,
    processId: child.pid ?? 0,
    send,
    judge,
    stop,
    errors: () => errors,
    lines: () =>
      existsSync(file)
        ? readFileSync(file, "utf8")
            .split("\n")
            .filter(Boolean)
            .map((text) => JSON.parse(text))
        : [],
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
