import type { AddressInfo, Server } from "node:net";

/** Where to listen. */
export interface ListenAddress {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
}

/** The settings that contain an address, as messages call them. */
interface AddressSettings {
  readonly host: string;
  readonly port: string;
}

const serverSettings: AddressSettings = { host: "SITEWARD_HOST (--host)", port: "SITEWARD_PORT (--port)" };

/**
 * Starts to accept connections.
 *
 * @param settings those that contain the address. By default, those of the API.
 * @returns the port that the server listens on
 * @throws Error that names the setting to change if the system refuses the address
 */
export async function listen(server: Server, address: ListenAddress, settings = serverSettings): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", (error) => reject(explainListenError(error, address, settings)));
  server.listen({ host: address.host, port: address.port }, resolve);
  await promise;
  server.removeAllListeners("error");
  // A server that listens on a TCP port has an address of this type.
  return (server.address() as AddressInfo).port;
}

/**
 * Returns the URL of a host and port on this machine, such as `http://127.0.0.1:3000`. A host that stands for every address
 * cannot be called, so the URL has the address of the machine itself.
 */
export function listeningUrl(host: string, port: number): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `http://${loopbackOf(name) ?? name}:${port}`;
}

/** Whether the host stands for every address of this machine, in any spelling, such as `0.0.0.0`, `0` or `::`. */
export function isEveryAddress(host: string): boolean {
  return loopbackOf(host.includes(":") ? `[${host}]` : host) !== undefined;
}

const loopbacks: Readonly<Record<string, string>> = {
  "0.0.0.0": "127.0.0.1",
  "[::]": "[::1]",
  "[::ffff:0:0]": "127.0.0.1",
};

/** Whether only programs on this machine can reach the host, in any spelling, such as `127.0.0.2`, `127.1`, `::1` or `localhost`. */
export function isLoopback(host: string): boolean {
  const url = `http://${host.includes(":") ? `[${host}]` : host}`;
  return URL.canParse(url) && loopbackName.test(new URL(url).hostname);
}

/** All forms that the parser of URLs leaves of them. The last is an IPv4 address of the loopback network, in an IPv6 address. */
const loopbackName = /^(?:localhost|127\.[\d.]+|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/;

function loopbackOf(name: string): string | undefined {
  const url = `http://${name}`;
  // The parser of URLs has one spelling for each address.
  return URL.canParse(url) ? loopbacks[new URL(url).hostname] : undefined;
}

/** Adds the name of the setting to change, if the system refuses the address. */
function explainListenError(
  error: NodeJS.ErrnoException,
  { host, port }: ListenAddress,
  settings: AddressSettings,
): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use; choose another port with ${settings.port}.`,
    EACCES: `This user is not allowed to listen on port ${port}; choose another port with ${settings.port}.`,
    EADDRNOTAVAIL: `This machine does not have the address ${host}; choose another with ${settings.host}.`,
    ENOTFOUND: `The host ${host} was not found; choose another with ${settings.host}.`,
  };
  const reason = reasons[error.code ?? ""];
  return reason === undefined ? error : Object.assign(error, { message: reason });
}
