import type { Command, Option } from "commander";

/** How a command line differs from the one that was typed. */
interface CommandLineChanges {
  /** Long names of the flags to omit, such as `--page`. */
  readonly without: readonly string[];
  /** The arguments to add at the end. */
  readonly with: readonly string[];
}

/**
 * Returns a command line that can be pasted into a shell: the command with all flags that were typed, global ones too, but for
 * the changes. It contains no arguments other than flags.
 */
export function commandLine(command: Command, changes: CommandLineChanges, platform: NodeJS.Platform): string {
  const chain = ancestry(command);
  const flags = chain.flatMap((part) => part.options.flatMap((option) => typedFlag(part, option)));
  const kept = flags.filter(([name = ""]) => !changes.without.includes(name)).flat();
  const words = chain.map((part) => part.name());
  return [...words, ...kept, ...changes.with].map((word) => quote(word, platform)).join(" ");
}

function ancestry(command: Command): readonly Command[] {
  return command.parent === null ? [command] : [...ancestry(command.parent), command];
}

/** Returns the name and the value of a flag that was typed, else nothing. */
function typedFlag(command: Command, option: Option): readonly (readonly string[])[] {
  const name = option.attributeName();
  if (command.getOptionValueSource(name) !== "cli") return [];
  const long = option.long ?? option.flags;
  return [option.isBoolean() || option.negate ? [long] : [long, String(command.getOptionValue(name))]];
}

/** Quotes a word for a POSIX shell, or for the shells of Windows. */
function quote(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return platform === "win32" ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
