import type { Command } from "commander";
import type { View } from "../output/view.ts";
import type { Io } from "../process/io.ts";

/** Declares the arguments, flags, help and action of a command. Returns how its records are shown, if it prints some. */
export type CommandSetup = (command: Command, io: Io) => View | undefined;

/** Formats the examples at the end of a command's help. */
export function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
