import { type BoundedLine, boundedLines } from "../files/bounded-lines.ts";
import { isObject, parseLine } from "../files/rows.ts";
import { showValue } from "../websites/reading.ts";
import type { Judge, StatedVisit, VisitField } from "./judge-visits.ts";
import { type LineRecord, malformed, toVisitRecord, type VisitRecord } from "./visit-record.ts";

/** The longest line. Servers accept headers of 8 to 64 KiB, and JSON can escape each character. */
const maxLineBytes = 128 * 1024;

const fields: readonly string[] = ["url", "ip", "user_agent"] satisfies VisitField[];

/**
 * Judges each line of NDJSON. Blank lines are ignored. A line that is not a visit does not end it.
 *
 * @param signal that at which the source ends
 */
export async function* judgeLines(
  source: AsyncIterable<Buffer>,
  judge: Judge,
  signal: AbortSignal,
): AsyncGenerator<LineRecord> {
  for await (const lines of boundedLines(source, maxLineBytes, signal)) {
    for (const line of lines) {
      if ("text" in line && line.text.trim() === "") continue;
      yield { line: line.number, ...judgeLine(line, judge) };
    }
  }
}

function judgeLine(line: BoundedLine, judge: Judge): VisitRecord {
  if ("fault" in line) return malformed(`The line ${line.fault}`);
  const parsed = parseLine(line.text);
  if (!parsed.ok) return malformed(`The line ${parsed.reason}`);
  if (!isObject(parsed.value)) return malformed('The line is not an object; send {"url": "https://example.com/"}');
  const unknown = Object.keys(parsed.value).find((name) => !fields.includes(name));
  if (unknown !== undefined) return malformed(`${showValue(unknown)} is unknown; send only ${fields.join(", ")}`);
  const visit = statedVisit(parsed.value);
  return toVisitRecord(judge(visit), visit);
}

/** A field that is null is not stated. */
function statedVisit({ url, ip, user_agent }: Readonly<Record<string, unknown>>): StatedVisit {
  return { url: url ?? undefined, ip: ip ?? undefined, user_agent: user_agent ?? undefined };
}
