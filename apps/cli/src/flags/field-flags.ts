import type { Command, Option } from "commander";
import type { Io } from "../process/io.ts";

/**
 * The flags of a request: one entry for each field of the contract. A field without an entry does not compile, and
 * neither does an entry without a flag, unless it gives the reason.
 */
export type FieldFlags<Request> = {
  readonly [Field in keyof Request]-?: FieldFlag<Exclude<Request[Field], undefined>> | NoFlag;
};

/** The flags that set one field. Most fields have one flag. */
export interface FieldFlag<Value> {
  readonly options: readonly [Option, ...Option[]];
  /** Returns the value of the field, or undefined if none of its flags was given. */
  readonly read: (values: OptionValues, io: Io) => Value | undefined | Promise<Value | undefined>;
}

/** A field that no flag sets. */
interface NoFlag {
  readonly reason: string;
}

/** What commander parsed, under the camel-case names of the options. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** Declares the flags on the command, in the order in which its help lists them. */
export function addFieldFlags<Request>(command: Command, fields: FieldFlags<Request>): Command {
  for (const [, { options }] of entriesOf(fields)) {
    for (const option of options) command.addOption(option);
  }
  return command;
}

/**
 * Returns the fields that were given as flags. Every other field is undefined, so it is not sent.
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
  // FieldFlags checks that each reader returns a value of its field.
  return Object.fromEntries(entries) as { [Field in keyof Request]: Request[Field] | undefined };
}

function entriesOf(fields: object): readonly (readonly [string, FieldFlag<unknown>])[] {
  // By its type, every entry of a FieldFlags is one of the two.
  const entries = Object.entries(fields) as readonly (readonly [string, FieldFlag<unknown> | NoFlag])[];
  return entries.flatMap(([field, flag]) => ("read" in flag ? [[field, flag] as const] : []));
}
