import { type Io, takesColor, writeTexts } from "../process/io.ts";
import { parseFields } from "./fields.ts";
import { formats, type OutputFormat } from "./formats.ts";
import type { Layout, Renderer, View } from "./view.ts";

/** The flags for the format of results. */
export interface OutputFlags {
  readonly output?: OutputFormat | undefined;
  readonly fields?: string | undefined;
  readonly ascii?: true | undefined;
}

/** Prints a command's results to stdout in the requested format. */
export interface Output {
  readonly format: OutputFormat;
  /** Whether people read it, and have not chosen fields: a command can print sentences instead of records. */
  readonly isText: boolean;
  /** Prints a list of records as they arrive. */
  readonly list: (records: AsyncIterable<object> | Iterable<object>) => Promise<void>;
  /** Prints one record. */
  readonly one: (record: object) => Promise<void>;
}

/**
 * Opens the output of a command whose records have this view. It checks the flags, so call it before the first request.
 *
 * @throws CliError `usage`
 */
export function openOutput(io: Io, flags: OutputFlags, view: View): Output {
  const { stdout } = io;
  const format = flags.output ?? (stdout.isTTY === true ? "table" : "json");
  const layout: Layout = {
    view,
    fields: flags.fields === undefined ? undefined : parseFields(flags.fields, view),
    // A terminal that does not know its size reports 0.
    widthColumns: stdout.isTTY === true ? stdout.columns || undefined : undefined,
    color: takesColor(stdout, io.env),
    ascii: flags.ascii === true,
  };
  return {
    format,
    isText: format === "table" && flags.fields === undefined,
    list: async (records) => {
      const renderer = await formats[format]();
      await writeTexts(stdout, renderer.list(records, layout));
    },
    one: async (record) => {
      const { list, one }: Renderer = await formats[format]();
      await writeTexts(stdout, one === undefined ? list([record], layout) : [one(record, layout)]);
    },
  };
}
