import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import type { Config } from "../config.ts";

/** Port 0 chooses a free one. */
export type Address = Pick<Config, "host" | "port">;

/** What messages call the settings of the address of the API. */
const serverSettings = "SITEWARD_HOST (--host) or SITEWARD_PORT (--port)";

/**
 * Starts to accept connections.
 *
 * @param settings those that contain the address. By default, those of the API.
 * @returns the port that the server listens on
 * @throws Error that names the setting to change if the system refuses the address
 */
export async function listen(server: Server, address: Address, settings = serverSettings): Promise<number> {
  // Without a host, Node listens on all addresses of IPv4 if the system has no IPv6.
  const host = spellingOf(address.host) === "[::]" ? undefined : address.host;
  // Connections that wait to be accepted. Linux resets some of a burst above Node's 511, and lowers this to its own limit.
  server.listen({ host, port: address.port, backlog: 4_096 });
  await once(server, "listening").catch((error: Error) => {
    error.message = `${error.message}. Choose another address with ${settings}.`;
    throw error;
  });
  // A server that listens on a TCP port has an address of this type.
  return (server.address() as AddressInfo).port;
}

/**
 * Returns the URL of a host and port on this machine, such as `http://127.0.0.1:3000`. A host that stands for every
 * address cannot be called, so the URL has one that the machine has for itself, and that containers publish: of IPv4.
 */
export function listeningUrl(host: string, port: number): string {
  return `http://${isEveryAddress(host) ? "127.0.0.1" : inUrl(host)}:${port}`;
}

/** Whether the host stands for every address of this machine, in any spelling, such as `0.0.0.0`, `0` or `::`. */
export function isEveryAddress(host: string): boolean {
  return ["0.0.0.0", "[::]", "[::ffff:0:0]"].includes(spellingOf(host));
}

/** What only programs on this machine can reach. The last is an IPv4 address of the loopback network, in an IPv6 address. */
const loopbackName = /^(?:localhost|127\.[\d.]+|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/;

/** Returns the one spelling that the parser of URLs has for each address. Empty for what is no host. */
function spellingOf(host: string): string {
  return URL.parse(`http://${inUrl(host)}`)?.hostname ?? "";
}

function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Finds whether other machines can reach the server, while no proxy that adds TLS is known to be in front of it. */
export function findExposure({ host, trustProxy }: Pick<Config, "host" | "trustProxy">) {
  if (loopbackName.test(spellingOf(host)) || trustProxy !== false) return undefined;
  return {
    what: `The server listens on ${host} and speaks plain HTTP, so anyone on the way can read the API keys.`,
    remedy:
      "Put a proxy that adds TLS in front of it, and set SITEWARD_TRUST_PROXY to the number of proxies. " +
      'Without a proxy, set SITEWARD_HOST to 127.0.0.1. docs/operating.md, "Behind a proxy", says how.',
  };
}
