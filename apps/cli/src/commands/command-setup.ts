import type { Command } from "commander";
import type { Io } from "../process/io.ts";

/** Declares a command's arguments, flags and help on `command`, and what it does. */
export type CommandSetup = (command: Command, io: Io) => void;

/** The examples at the end of a command's help. */
export function examples(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
