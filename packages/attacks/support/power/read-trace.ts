/** What a server did to its files or sent to a client, in order. */
export type TracedEvent =
  | { readonly kind: "write"; readonly path: string; readonly offset: number; readonly data: Buffer }
  | { readonly kind: "truncate"; readonly path: string; readonly size: number }
  | { readonly kind: "sync"; readonly path: string }
  | { readonly kind: "unlink"; readonly path: string }
  | { readonly kind: "answer"; readonly text: string };

/** The strace options that produce the output that `readTrace` reads. */
export const traceOptions = [
  ...["-f", "--seccomp-bpf", "-xx", "-y", "-s", "200000"],
  ...["-e", "trace=pwrite64,write,writev,sendmsg,ftruncate,fsync,fdatasync,unlink"],
] as const;

type Reader = (call: Call) => TracedEvent | undefined;

interface Call {
  /** The path of the file descriptor, or `socket:[…]`. */
  readonly path: string;
  /** The strings among the arguments, in order. */
  readonly data: Buffer;
  /** The last numbers among the arguments, such as an offset. */
  readonly last: number;
}

const readers: Readonly<Record<string, Reader>> = {
  pwrite64: ({ path, data, last }) => ({ kind: "write", path, offset: last, data }),
  ftruncate: ({ path, last }) => ({ kind: "truncate", path, size: last }),
  fsync: ({ path }) => ({ kind: "sync", path }),
  fdatasync: ({ path }) => ({ kind: "sync", path }),
  unlink: ({ data }) => ({ kind: "unlink", path: data.toString() }),
  write: readAnswer,
  writev: readAnswer,
  sendmsg: readAnswer,
};

/** Reads the lines of a trace. A call counts from the moment it returned. */
export async function* readTrace(lines: AsyncIterable<string>): AsyncGenerator<TracedEvent> {
  const unfinished = new Map<string, string>();
  for await (const line of lines) {
    const [, thread = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (rest.endsWith("<unfinished ...>")) {
      unfinished.set(thread, rest.slice(0, -" <unfinished ...>".length));
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(rest)?.[0];
    const event = readCall(
      resumed === undefined ? rest : `${unfinished.get(thread) ?? ""}${rest.slice(resumed.length)}`,
    );
    if (event !== undefined) yield event;
  }
}

function readCall(text: string): TracedEvent | undefined {
  const name = text.slice(0, text.indexOf("("));
  // strace aligns the results of calls that were resumed.
  const result = /\) += (-?)\d+[^"]*$/.exec(text);
  const read = readers[name];
  // A failed call did nothing.
  if (read === undefined || result === null || result[1] === "-") return undefined;
  const end = result.index;
  const path = /^\w+\(\d+<([^>]*)>/.exec(text)?.[1] ?? "";
  const strings = [...text.slice(0, end).matchAll(/"([^"]*)"/g)].map((match) => decode(match[1] ?? ""));
  const last = Number(/(\d+)$/.exec(text.slice(Math.max(0, end - 20), end))?.[1]);
  return read({ path: decode(path).toString(), data: Buffer.concat(strings), last });
}

function readAnswer({ path, data }: Call): TracedEvent | undefined {
  return path.startsWith("socket:") ? { kind: "answer", text: data.toString() } : undefined;
}

function decode(hex: string): Buffer {
  return Buffer.from(hex.replaceAll("\\x", ""), "hex");
}
