import type { ProxyEnv } from "node:http";
import { isLoopback } from "../config/is-loopback.ts";
import { CliError } from "../errors/cli-error.ts";
import type { Io } from "../process/io.ts";

/** The proxy of the requests to a service. */
interface Proxy {
  /** The variable that names it. */
  readonly variable: string;
  /** The variables as Node reads them. */
  readonly proxyEnv: ProxyEnv;
}

/**
 * Returns the variables of the environment that lead requests through a proxy: `HTTPS_PROXY` or `HTTP_PROXY`, depending on
 * the URL of the service, and `NO_PROXY`, all also in lower case, which comes first. Node reads them as the `proxyEnv` of
 * an agent. Returns undefined if no proxy is set, and for a service on this machine, which a proxy could not reach.
 *
 * @throws CliError `settings_unusable` if the URL of the proxy is not valid, or this runtime cannot use a proxy
 */
export function chooseProxy(baseUrl: string, { env, runtime }: Pick<Io, "env" | "runtime">): Proxy | undefined {
  const { protocol, hostname } = new URL(baseUrl);
  const [name, value] = readVariable(env, protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  const [, exceptions] = readVariable(env, "NO_PROXY");
  if (value === "" || isLoopback(hostname) || isListed(hostname, exceptions)) return undefined;
  const proxyUrl = checkProxyUrl(name, value);
  if (!supportsProxy(runtime.versions)) {
    throw new CliError(
      "settings_unusable",
      `${name} is set, but this version of ${runtimeName(runtime.versions)} cannot use a proxy.`,
      "Install Node 24.5 or later, or 22.21 or a later 22. " +
        `For no proxy, unset ${name}, or add ${hostname} to NO_PROXY.`,
    );
  }
  return {
    variable: name,
    proxyEnv: { [protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY"]: proxyUrl, NO_PROXY: exceptions },
  };
}

function readVariable(env: Io["env"], name: string): readonly [name: string, value: string] {
  const lower = name.toLowerCase();
  return env[lower] ? [lower, env[lower]] : [name, env[name] ?? ""];
}

/** Whether `NO_PROXY` names a host. Node itself reads the rest of its grammar, such as ports and ranges of addresses. */
function isListed(hostname: string, exceptions: string): boolean {
  return exceptions.split(/[\s,]+/).some((entry) => entry === "*" || entry.toLowerCase() === hostname);
}

/** Node ignores a proxy whose protocol it does not know, and quotes an invalid URL with its password. */
function checkProxyUrl(name: string, value: string): string {
  const text = value.includes("://") ? value : `http://${value}`;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new CliError(
    "settings_unusable",
    `${name} is not the URL of an HTTP proxy.`,
    'Use a URL such as "http://proxy.example.com:3128".',
  );
}

/** Node has had `proxyEnv` since 24.5, and since 22.21 in its version 22. */
function supportsProxy({ node, bun, deno }: Readonly<Record<string, string | undefined>>): boolean {
  if (bun !== undefined || deno !== undefined) return false;
  const [major = 0, minor = 0] = (node ?? "").split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

function runtimeName({ bun, deno }: Readonly<Record<string, string | undefined>>): string {
  if (bun !== undefined) return "Bun";
  return deno === undefined ? "Node" : "Deno";
}
