import { isWellFormedApiKey, Siteward } from "@siteward/sdk";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import { version } from "../process/version.ts";
import { warnOfPlainText } from "./base-url.ts";
import { createNodeFetch } from "./node-fetch.ts";
import { readProfileFile } from "./profiles.ts";
import { chooseProxy } from "./proxy.ts";
import { environmentSettings, requireProfile, resolveLogin } from "./resolve.ts";
import { readApiKey } from "./secrets.ts";
import { type Login, readStoredKey } from "./stored-keys.ts";
import { createTrace, explainWaits, showWaits } from "./watch.ts";

/**
 * How often a command that sends many requests retries each read. Its changes wait longer. With 0, from `--retries`, it
 * does not wait for the rate limit either.
 */
export const retriesOfMany = 5;

/**
 * Creates a client from the flags, the environment and the profile. It does not send a request.
 *
 * @param defaultRetries how often it retries without `--retries`. By default, a script that is rate limited fails at
 *   once.
 * @throws CliError `api_key_missing`, `api_key_mistyped`, `settings_unusable`, `usage`
 */
export async function connect(io: Io, flags: GlobalFlags, defaultRetries = 0): Promise<Siteward> {
  const env = environmentSettings(io);
  const given = (await readApiKey(io, flags)) ?? env.key;
  const file = await readProfileFile(io, given === undefined || (flags.baseUrl ?? env.baseUrl) === undefined);
  const { baseUrl } = resolveLogin(flags, env, file.profiles);
  const key = given ?? (await readStoredKey(io, requireProfile(flags, env, file.profiles), file));
  const { apiKey, ...source } = key;
  io.facts.key = { ...source, baseUrl };
  await warnOfPlainText(io, baseUrl);
  return createClient(io, flags, { apiKey, baseUrl, defaultRetries });
}

/**
 * Creates the client of the service, after checking offline that the key is not mistyped.
 *
 * @throws CliError `api_key_mistyped`; `settings_unusable` if a proxy is set that cannot be used
 */
export function createClient(
  io: Io,
  flags: Pick<GlobalFlags, "retries" | "timeout" | "verbose">,
  { apiKey, baseUrl, defaultRetries = 0 }: Pick<Login, "apiKey" | "baseUrl"> & { readonly defaultRetries?: number },
): Siteward {
  if (!isWellFormedApiKey(apiKey)) {
    throw new CliError(
      "api_key_mistyped",
      "The API key is mistyped or incomplete: its format or checksum is wrong.",
      "Copy the entire key again. It starts with swk_ and has 42 characters.",
    );
  }
  const proxy = chooseProxy(baseUrl, io);
  if (proxy !== undefined) io.facts.proxyVariable = proxy.variable;
  const send = createNodeFetch(io.runtime, proxy?.proxyEnv);
  const trace = flags.verbose === true ? createTrace(io, apiKey) : undefined;
  const explain = explainWaits(io);
  return new Siteward({
    apiKey,
    // The SDK removes it again. Without it, a URL that has it twice would lose both.
    baseUrl: `${baseUrl}/api/v1`,
    fetch: trace?.wrap(send) ?? showWaits(io, baseUrl, send),
    maxRetries: flags.retries ?? defaultRetries,
    timeoutMs: flags.timeout === undefined ? undefined : Math.round(flags.timeout * 1000),
    userAgent: `siteward-cli/${version}`,
    onRetry: (event) => Promise.all([explain(event), trace?.onRetry(event)]),
  });
}
