import type { Siteward } from "@siteward/sdk";
import type { Command } from "commander";
import { connect } from "../client/connect.ts";
import type { GlobalFlags } from "../flags/global-flags.ts";
import { type Output, openOutput } from "../output/output.ts";
import type { View } from "../output/view.ts";
import type { Io } from "../process/io.ts";

/** What a command is, and what it does. */
export interface CommandDefinition<Flags = unknown> {
  /** Declares its arguments and flags. */
  readonly declare?: (command: Command) => Command;
  /** What its help says below the flags. */
  readonly help?: string;
  readonly examples: readonly string[];
  /** How its records are shown, if it prints some. */
  readonly view?: View;
  /** @param given its arguments, as they were parsed */
  readonly run: (call: Call<Flags>, ...given: never[]) => Promise<void>;
}

/** One call of a command. */
export interface Call<Flags = unknown> {
  readonly io: Io;
  readonly flags: GlobalFlags & Flags;
  /** Opens the output, by default for records of the command's view. It checks the flags, so it comes first. */
  readonly openOutput: (view?: View) => Output;
  /** Returns the client of the service. By default, it does not retry. */
  readonly connect: (defaultRetries?: number) => Promise<Siteward>;
}

/** A command of any flags. */
export type AnyCommand = CommandDefinition<never>;

/** Declares what a command accepts and does. */
export function setUp(command: Command, { declare, help, examples, view = {}, run }: AnyCommand, io: Io): void {
  declare?.(command);
  command.addHelpText("after", `${help === undefined ? "" : `\n${help}\n`}${exampleText(examples)}`);
  command.action(async (...given: unknown[]) => {
    const flags = command.optsWithGlobals<never>();
    const call = {
      io,
      flags,
      openOutput: (shown = view) => openOutput(io, flags, shown),
      connect: (defaultRetries?: number) => connect(io, flags, defaultRetries),
    };
    // They are what the parsers of its arguments returned.
    await run(call, ...(given as never[]));
  });
}

/** Formats the examples at the end of a help page. */
export function exampleText(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
