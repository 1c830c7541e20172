import type { TextSink } from "../process/io.ts";

/** Wraps text for people at spaces if it is printed on a terminal. A program gets each message as one line. */
export async function fitTerminal({ isTTY, columns }: TextSink, text: string): Promise<string> {
  // The width of a terminal can be unknown, which Node reports as 0.
  if (isTTY !== true || columns === undefined || columns === 0) return text;
  const { wrapLines } = await import("./wrap-lines.ts");
  return wrapLines(text, columns);
}
