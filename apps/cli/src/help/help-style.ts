import { type Io, type TextSink, takesColor } from "../process/io.ts";
import type { HelpStyle } from "./render-help.ts";

/** Wider lines are hard to read. */
const maxWidth = 100;
const minWidth = 20;

/**
 * Returns how to print help on this stream: at the width of `COLUMNS`, else of the terminal, else 80, as GNU programs and
 * Python do, between 20 and 100.
 */
export function helpStyle(sink: TextSink, env: Io["env"]): HelpStyle {
  const columns = /^[1-9]\d*$/.test(env["COLUMNS"] ?? "") ? Number(env["COLUMNS"]) : sink.columns || 80;
  return { widthColumns: Math.min(Math.max(columns, minWidth), maxWidth), color: takesColor(sink, env) };
}
