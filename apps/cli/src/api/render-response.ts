import { jsonText } from "../output/json.ts";
import { safeText } from "../output/safe-text.ts";

/** A response to a raw request. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  /** The JSON of the body; undefined if the response has none. */
  readonly body: unknown;
}

/** How a response is printed. */
interface ResponseStyle {
  /** Whether the status and the headers are printed, too. */
  readonly isIncluded: boolean;
  /** Whether the body is one line. */
  readonly isCompact: boolean;
}

/** Returns a response as text: the JSON as the service sent it, with an indent for people. */
export function renderResponse(
  { status, headers, body }: RawResponse,
  { isIncluded, isCompact }: ResponseStyle,
): string {
  const text = body === undefined ? "" : `${jsonText(body, isCompact ? undefined : 2)}\n`;
  if (!isIncluded) return text;
  const head = [`HTTP ${status}`, ...[...headers].map(([name, value]) => `${name}: ${value}`)];
  return `${head.map(safeText).join("\n")}\n\n${text}`;
}
