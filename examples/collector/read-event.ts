import type { Visit } from "@siteward/rules";

/** A request that is not answered as it was meant. */
export class RefusedRequest extends Error {
  readonly status: number;
  readonly field: string | undefined;

  constructor(status: number, message: string, field?: string) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

/** URLs of browsers are longer in theory only. */
const maxUrlLength = 4000;

/** Reads the fields of a body or a query. Only who sends the token may say which visitor it was. */
export function readEvent(fields: Readonly<Record<string, unknown>>, isTrusted: boolean): Visit {
  const known = isTrusted ? ["url", "ip", "user_agent"] : ["url"];
  for (const name of Object.keys(fields)) {
    if (known.includes(name)) continue;
    if (name === "ip" || name === "user_agent") throw new RefusedRequest(403, `${name} needs the token.`, name);
    throw new RefusedRequest(400, `${name} is not a field; send ${known.join(", ")}.`, name);
  }
  const ip = readString(fields, "ip");
  const userAgent = readString(fields, "user_agent");
  return { url: checkUrl(readString(fields, "url")), ip, userAgent };
}

/** Checks what is stored. The rules check the rest. */
function checkUrl(url: string | undefined): string {
  if (url === undefined) throw new RefusedRequest(400, "url is missing; send the URL of the page.", "url");
  if (url.length > maxUrlLength) {
    throw new RefusedRequest(400, `url has ${url.length} characters; send at most ${maxUrlLength}.`, "url");
  }
  return url;
}

/** Reads the fields of a body. */
export function readObject(body: string): Readonly<Record<string, unknown>> {
  const value: unknown = parse(body);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new RefusedRequest(400, 'The body is not a JSON object; send {"url": "https://example.com/"}.');
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function readString(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === "string") return value;
  throw new RefusedRequest(400, `${name} is not a string; send one.`, name);
}
