import { boundedLines } from "../files/bounded-lines.ts";
import { openBytes } from "../files/read-text.ts";
import { jsonText } from "../output/json.ts";
import { warn } from "../output/notices.ts";
import { type Output, type OutputFlags, openOutput } from "../output/output.ts";
import { startProgress } from "../output/progress.ts";
import { CliError } from "../process/cli-error.ts";
import { type Io, writeMessage } from "../process/io.ts";
import { type Judge, judgeLine, lineView, reasons } from "./judge-visits.ts";

/** The most visits in a format that needs all of them before it prints one: 10,000 with URLs of 8 KB take 600 MB. */
const maxAtOnce = 10_000;

/**
 * Opens the output of the verdicts about a file. Without a terminal it is NDJSON, as the file: a log has no end, and an
 * array of JSON would have to be complete before any of it is printed.
 */
export function openLineOutput(io: Io, flags: OutputFlags): Output {
  return openOutput(
    io,
    { ...flags, output: flags.output ?? (io.stdout.isTTY === true ? undefined : "ndjson") },
    lineView,
  );
}

/** The visits to judge, and the output for the verdicts. */
interface FileToJudge {
  /** `-` for standard input. */
  readonly path: string;
  readonly judge: Judge;
  readonly output: Output;
}

/**
 * Judges the visits of a file of any size, each as it is read, and prints how many are counted. A table and YAML end at
 * 10,000 visits.
 *
 * @throws CliError `usage` if the file cannot be read, `partly_done` if some lines are not visits, `input_refused` if
 *   none is or there is no line, and `interrupted`
 */
export async function judgeFile(io: Io, { path, judge, output }: FileToJudge): Promise<void> {
  const counts: Counts = { lines: 0, counted: 0, host: 0, ip: 0, bot: 0, invalid: 0 };
  // At Ctrl-C, what was read is counted.
  using takeover = io.interruption.takeOver();
  const { signal } = takeover;
  using progress = startProgress(io, { label: "Judging" });
  const maxPrinted = output.format === "table" || output.format === "yaml" ? maxAtOnce : Number.POSITIVE_INFINITY;
  async function* counted() {
    for await (const lines of boundedLines(openBytes(io, path, signal), maxLineBytes, signal)) {
      for (const line of lines) {
        if ("text" in line && line.text.trim() === "") continue;
        const record = judgeLine(line, judge);
        counts.lines += 1;
        counts[record.reason ?? "counted"] += 1;
        progress.advance();
        if (counts.lines <= maxPrinted) yield { line: line.number, ...record };
      }
    }
  }
  await output.list(counted());
  if (counts.lines > maxPrinted) await warn(io, endsAt(output));
  const isJson = io.facts.areMessagesJson?.() === true;
  await writeMessage(io, `${isJson ? jsonText({ summary: counts }) : countsText(counts)}\n`);
  if (signal.aborted) throw new CliError("interrupted", "Interrupted. The rest is not judged.");
  if (counts.lines === 0) throw new CliError("input_refused", "There are no visits to judge.", howToState);
  refuseInvalid(counts);
}

/** The longest line. Servers accept headers of 8 to 64 KiB, and JSON can escape each character. */
const maxLineBytes = 128 * 1024;

/** How many visits were judged, and how many are counted or have a reason not to be. */
type Counts = Record<"lines" | "counted" | (typeof reasons)[number], number>;

/** Returns the counts in a sentence: "120 visits: 90 counted, 8 ip, 22 bot." */
function countsText(counts: Counts): string {
  const parts = (["counted", ...reasons] as const)
    .filter((name) => name === "counted" || counts[name] > 0)
    .map((name) => `${counts[name].toLocaleString("en-US")} ${name}`);
  const visits = counts.lines === 1 ? "1 visit" : `${counts.lines.toLocaleString("en-US")} visits`;
  return `${visits}: ${parts.join(", ")}.`;
}

function endsAt({ format }: Output): string {
  const [name, count] = [format === "yaml" ? "YAML" : "table", maxAtOnce.toLocaleString("en-US")];
  return `The ${name} ends at ${count} visits, and the counts are of all. To print every verdict, use --output ndjson.`;
}

const howToState =
  'Write one on each line, such as {"url": "https://example.com/"}. If another program wrote them, its input can have another format.';

function refuseInvalid({ lines, invalid }: Counts): void {
  if (invalid === 0) return;
  const wrong =
    invalid === 1 ? "1 line is not a valid visit" : `${invalid.toLocaleString("en-US")} lines are not valid visits`;
  const next = "The records with the reason invalid say which lines, and what is wrong.";
  if (invalid < lines) throw new CliError("partly_done", `${wrong}. The others are judged.`, next);
  throw new CliError("input_refused", `${wrong}, and no other was found.`, next);
}
