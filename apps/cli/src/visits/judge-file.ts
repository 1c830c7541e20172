import { CliError } from "../errors/cli-error.ts";
import { openBytes } from "../files/open-bytes.ts";
import { fitTerminal } from "../output/fit-terminal.ts";
import { areMessagesJson } from "../output/formats.ts";
import { jsonText } from "../output/json.ts";
import { type Output, type OutputFlags, openOutput } from "../output/output.ts";
import { type Io, writeMessage } from "../process/io.ts";
import { startProgress } from "../progress/start-progress.ts";
import { judgeLines } from "./judge-lines.ts";
import type { Judge } from "./judge-visits.ts";
import { type LineRecord, lineView } from "./visit-record.ts";
import { VisitSummary } from "./visit-summary.ts";

/** The most visits in a format that prints all at once. */
const maxAtOnce = 100_000;

/**
 * Opens the output of the verdicts about a file. Without a terminal it is NDJSON, as the file: a log has no end, and an array of JSON
 * would have to be complete before any of it is printed.
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
 * Judges the visits of a file of any size, each as it is read, and prints how many are counted.
 *
 * @throws CliError `usage` if the file cannot be read or has too many visits for the format, `partly_done` if some lines are not visits,
 *   `input_refused` if none is or there is no line, and `interrupted`
 */
export async function judgeFile(io: Io, flags: OutputFlags, { path, judge, output }: FileToJudge): Promise<void> {
  const summary = new VisitSummary();
  // At Ctrl-C, what was read is counted.
  using takeover = io.interruption.takeOver();
  using progress = startProgress(io, { label: "Judging" });
  const isStreamed = output.format === "ndjson" || output.format === "csv";
  async function* counted(): AsyncGenerator<LineRecord> {
    for await (const record of judgeLines(openBytes(io, path, takeover.signal), judge)) {
      summary.add(record);
      if (!isStreamed && summary.lines > maxAtOnce) throw tooMany(output);
      progress.advance();
      yield record;
    }
  }
  await output.list(counted());
  const isJson = areMessagesJson(flags.output, io);
  const text = isJson ? jsonText({ summary: summary.toRecord() }) : summary.toText();
  await writeMessage(io, isJson ? `${text}\n` : await fitTerminal(io.stderr, `${text}\n`));
  if (takeover.signal.aborted) throw new CliError("interrupted", "Interrupted. The rest is not judged.");
  if (summary.lines === 0) throw new CliError("input_refused", "There are no visits to judge.", howToState);
  refuseInvalid(summary);
}

const howToState =
  'Write one on each line, such as {"url": "https://example.com/"}. If another program wrote them, its input can have another format.';

function tooMany({ format }: Output): CliError {
  const limit = maxAtOnce.toLocaleString("en-US");
  return new CliError(
    "usage",
    `The file has more than ${limit} visits, which ${format} prints at once.`,
    "Use --output ndjson or csv.",
  );
}

function refuseInvalid(summary: VisitSummary): void {
  const invalid = summary.count("invalid");
  if (invalid === 0) return;
  const lines =
    invalid === 1 ? "1 line is not a valid visit" : `${invalid.toLocaleString("en-US")} lines are not valid visits`;
  const next = "The records with the reason invalid say which lines, and what is wrong.";
  if (invalid < summary.lines) throw new CliError("partly_done", `${lines}. The others are judged.`, next);
  throw new CliError("input_refused", `${lines}, and no other was found.`, next);
}
