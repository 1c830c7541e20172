import type { ProxyEnv } from "node:http";
import { CliError } from "../process/cli-error.ts";
import type { Io } from "../process/io.ts";
import { isLoopback } from "./base-url.ts";

/** The proxy of the requests to a service. */
interface Proxy {
  /** The variable that names it. */
  readonly variable: string;
  /** The variables as Node reads them. */
  readonly proxyEnv: ProxyEnv;
}

/**
 * Returns the variables of the environment that lead requests through a proxy: `HTTPS_PROXY` or `HTTP_PROXY`, depending
 * on the URL of the service, and `NO_PROXY`, all also in lower case, which comes first. Node reads them as the
 * `proxyEnv` of an agent. Returns undefined if no proxy is set, and for a service on this machine, which a proxy could
 * not reach.
 *
 * @throws CliError `settings_unusable` if the URL of the proxy is not valid, or this runtime cannot use a proxy
 */
export function chooseProxy(baseUrl: string, { env, runtime }: Pick<Io, "env" | "runtime">): Proxy | undefined {
  const { protocol, hostname } = new URL(baseUrl);
  const standard = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const name = env[standard.toLowerCase()] ? standard.toLowerCase() : standard;
  const value = env[name] ?? "";
  const exceptions = env["no_proxy"] || env["NO_PROXY"] || "";
  if (value === "" || isLoopback(hostname) || isListed(hostname, exceptions)) return undefined;
  const proxyUrl = checkProxyUrl(name, value);
  if (!canUseProxy(runtime)) {
    throw new CliError(
      "settings_unusable",
      `${name} is set, but this runtime cannot use a proxy.`,
      `Use Node 24.5 or later, or 22.21. For no proxy, unset ${name}, or add ${hostname} to NO_PROXY.`,
    );
  }
  return { variable: name, proxyEnv: { [standard]: proxyUrl, NO_PROXY: exceptions } };
}

/** Whether `NO_PROXY` names a host. Node reads the rest of its grammar, such as ports. */
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

/** Bun, Deno, Node 23 and Node 24.0 to 24.4 would ignore the proxy. */
function canUseProxy({ versions, allowedNodeEnvironmentFlags }: Io["runtime"]): boolean {
  if (versions["bun"] !== undefined || versions["deno"] !== undefined) return false;
  return allowedNodeEnvironmentFlags.has("--use-env-proxy");
}
