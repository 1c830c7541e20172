export interface RequestParts {
  readonly method: string;
  readonly path: string;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
}

/** Writes a request as HTTP/1.1, with the length of its body. It validates and escapes nothing. */
export function writeRequest({ method, path, apiKey, headers = {}, body }: RequestParts): string {
  const lines = [`${method} ${path} HTTP/1.1`, "host: 127.0.0.1"];
  if (apiKey !== undefined) lines.push(`authorization: Bearer ${apiKey}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}`);
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
