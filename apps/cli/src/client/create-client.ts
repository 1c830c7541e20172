import type { Siteward } from "@siteward/sdk";
import { CliError } from "../errors/cli-error.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import type { Io } from "../process/io.ts";
import { version } from "../process/version.ts";
import { chooseProxy } from "./choose-proxy.ts";
import { explainWait } from "./explain-wait.ts";
import { createNodeFetch } from "./node-fetch.ts";
import type { Trace } from "./trace.ts";
import { createWaiting } from "./waiting.ts";
import { watchRateLimit } from "./watch-rate-limit.ts";

/** The service, and the key to send to it. */
export interface Credentials {
  readonly apiKey: string;
  readonly baseUrl: string;
}

/**
 * How often a command that sends many requests retries each: to stop halfway would cost more than to wait. With 0, from
 * `--retries`, it does not wait for the rate limit either.
 */
export const retriesOfMany = 5;

/** What a client sends to, and what it does without flags. */
interface ClientDefaults extends Credentials {
  /** How often it retries without `--retries`; 0 by default. */
  readonly defaultRetries?: number;
}

/** The flags that say how requests are sent. */
type ClientFlags = Pick<GlobalFlags, "output" | "retries" | "timeout" | "verbose">;

/**
 * Creates the client of the service, after checking offline that the key is not mistyped.
 *
 * The client does not retry by default: a script that is rate limited fails at once and does not hang for a minute.
 *
 * @throws CliError `api_key_mistyped`; `settings_unusable` if a proxy is set that cannot be used
 */
export async function createClient(
  io: Io,
  flags: ClientFlags,
  { apiKey, baseUrl, defaultRetries = 0 }: ClientDefaults,
): Promise<Siteward> {
  const { isWellFormedApiKey, Siteward } = await import("@siteward/sdk");
  if (!isWellFormedApiKey(apiKey)) {
    throw new CliError(
      "api_key_mistyped",
      "The API key is mistyped or incomplete: its format or checksum is wrong.",
      "Copy the entire key again. It starts with swk_ and has 42 characters.",
    );
  }
  const proxy = chooseProxy(baseUrl, io);
  if (proxy !== undefined) io.facts.proxyVariable = proxy.variable;
  const watch = flags.verbose === true ? await trace(io, flags, apiKey) : createWaiting(io, baseUrl);
  const { onResponse, onRetry } = watchRateLimit(io, flags, apiKey);
  const explain = explainWait(io, flags);
  return new Siteward({
    apiKey,
    // The SDK removes it again. Without it, a URL that has it twice would lose both.
    baseUrl: `${baseUrl}/api/v1`,
    fetch: watch.wrap(createNodeFetch(io.runtime, proxy?.proxyEnv)),
    maxRetries: flags.retries ?? defaultRetries,
    timeoutMs: flags.timeout === undefined ? undefined : Math.round(flags.timeout * 1000),
    userAgent: `siteward-cli/${version}`,
    onResponse,
    onRetry: (event) => Promise.all([onRetry(event), explain(event), watch.onRetry(event)]),
  });
}

async function trace(io: Io, flags: ClientFlags, apiKey: string): Promise<Trace> {
  const { createTrace } = await import("./trace.ts");
  return createTrace(io, flags, apiKey);
}
