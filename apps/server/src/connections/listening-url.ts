/** The URL of a host and port on this machine, such as `http://127.0.0.1:3000`. */
export function listeningUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
