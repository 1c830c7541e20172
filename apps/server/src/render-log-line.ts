import { pino } from "pino";

/**
 * Renders one line of the log, which is JSON, for a person: the time of the day, the level, what happened, and all other
 * fields. A stack follows on lines of its own.
 */
export function renderLogLine(line: string): string {
  const { level, time, pid: _, hostname: __, msg, err, ...fields }: LogEntry = JSON.parse(line);
  const isRequest = fields["method"] !== undefined && fields["status"] !== undefined;
  const { text, rest } = isRequest ? describeRequest(fields) : { text: msg ?? "", rest: fields };
  const words = [timeOf(time), (pino.levels.labels[level] ?? String(level)).toUpperCase().padEnd(5), printable(text)];
  for (const [name, value] of Object.entries(rest)) words.push(printable(`${name}=${renderValue(value)}`));
  return `${words.join(" ")}\n${describeError(err, msg)}`;
}

interface LogEntry {
  readonly level: number;
  readonly time: number;
  readonly pid?: number;
  readonly hostname?: string;
  readonly msg?: string;
  readonly err?: LoggedError;
  readonly [field: string]: unknown;
}

interface LoggedError {
  readonly message?: string;
  readonly stack?: string;
}

/** Omits the client's address, and that the response was complete, which is the usual case. */
function describeRequest(fields: Readonly<Record<string, unknown>>): { text: string; rest: Record<string, unknown> } {
  const { method, path, status, duration_ms, is_complete, remote: _, ...rest } = fields;
  const ending = is_complete === false ? ", which the client did not receive entirely" : "";
  return { text: `${method} ${path} ${status} ${duration_ms} ms${ending}`, rest };
}

function describeError(error: LoggedError | undefined, message: string | undefined): string {
  const text = error?.stack ?? error?.message ?? "";
  // pino uses the error's message if the caller gives none.
  if (text === "" || text === message) return "";
  return text
    .split("\n")
    .map((line) => `    ${printable(line)}\n`)
    .join("");
}

/** In local time, as on the clock of the person who reads it. */
function timeOf(ms: number): string {
  const date = new Date(ms);
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

function renderValue(value: unknown): string {
  return typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

/** Escapes characters that would control the terminal, or change the order of the text. */
function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
