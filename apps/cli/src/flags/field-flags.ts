import type { Command, Option } from "commander";
import type { Io } from "../process/io.ts";

/**
 * The flags of a request: one entry for each field that the contract gives it. A field without an entry does not
 * compile, and neither does an entry that has no flag and no reason for that.
 */
export type FieldFlags<Request> = {
  readonly [Field in keyof Request]-?: FieldFlag<Exclude<Request[Field], undefined>> | NoFlag;
};

/** The flags that set one field, mostly one. */
export interface FieldFlag<Value> {
  readonly options: readonly [Option, ...Option[]];
  /** Returns the value of the field, or undefined if none of its flags was given. */
  readonly read: (values: OptionValues, io: Io) => Value | undefined | Promise<Value | undefined>;
}

/** A field that no flag sets. */
interface NoFlag {
  readonly reason: string;
}

/** What commander parsed, by the names of the options in camel case. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** Declares the flags on the command, in the order in which its help lists them. */
export function addFieldFlags<Request>(command: Command, fields: FieldFlags<Request>): Command {
  for (const [, { options }] of entriesOf(fields)) {
    for (const option of options) command.addOption(option);
  }
  return command;
}

/**
 * Reads the fields that flags were given for; each other field is undefined, and so is not sent.
 *
 * @throws CliError `usage`
 */
export async function readFieldFlags<Request>(
  fields: FieldFlags<Request>,
  command: Command,
  io: Io,
): Promise<{ [Field in keyof Request]: Request[Field] | undefined }> {
  const values = command.optsWithGlobals();
  const entries: [string, unknown][] = [];
  for (const [field, flag] of entriesOf(fields)) entries.push([field, await flag.read(values, io)]);
  // The type FieldFlags says that each reader returns a value of the field it is listed under.
  return Object.fromEntries(entries) as { [Field in keyof Request]: Request[Field] | undefined };
}

function entriesOf(fields: object): readonly (readonly [string, FieldFlag<unknown>])[] {
  // Every entry of a FieldFlags is one of the two.
  const entries = Object.entries(fields) as readonly (readonly [string, FieldFlag<unknown> | NoFlag])[];
  return entries.flatMap(([field, flag]) => ("read" in flag ? [[field, flag] as const] : []));
}
