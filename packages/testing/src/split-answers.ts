/** One answer, as it arrived. */
export interface ReceivedAnswer {
  readonly status: number;
  /** By lowercase name. Of repeated headers, the last one. */
  readonly headers: ReadonlyMap<string, string>;
  /** Every character is one byte. */
  readonly body: string;
}

/** What has arrived on a connection. */
export interface SplitAnswers {
  readonly answers: readonly ReceivedAnswer[];
  /** What follows the last complete answer: an incomplete answer, or other bytes. */
  readonly rest: string;
}

const answerHead = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[\w-]+: [^\r\n]*\r\n)*)\r\n/;

/** Splits the bytes of a connection into answers by their lengths. If `isHead`, the first answer has no body. */
export function splitAnswers(text: string, isHead = false): SplitAnswers {
  const answers: ReceivedAnswer[] = [];
  let rest = text;
  for (;;) {
    const [whole = "", status = "", lines = ""] = answerHead.exec(rest) ?? [];
    if (whole === "") return { answers, rest };
    const headers = new Map(lines.split("\r\n").filter(Boolean).map(readHeader));
    const hasBody = !(isHead && answers.length === 0) && headers.has("content-length");
    const end = whole.length + (hasBody ? Number(headers.get("content-length")) : 0);
    if (rest.length < end) return { answers, rest };
    answers.push({ status: Number(status), headers, body: rest.slice(whole.length, end) });
    rest = rest.slice(end);
  }
}

function readHeader(line: string): readonly [string, string] {
  const [name = "", ...value] = line.split(": ");
  return [name.toLowerCase(), value.join(": ")];
}
