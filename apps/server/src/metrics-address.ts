/** Where metrics are read. */
export interface MetricsAddress {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
}

/** Returns the host and the port of a text such as `127.0.0.1:9464` or `[::1]:9464`. Undefined if it has another form. */
export function readMetricsAddress(text: string): MetricsAddress | undefined {
  const [, name, address, port] = /^(?:([\w.-]+)|\[([\da-f:.%\w]+)\]):(\d{1,5})$/i.exec(text) ?? [];
  const host = name ?? address;
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}
