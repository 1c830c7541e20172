import { type AddHelpTextContext, Command, type HelpContext } from "commander";
import type { Io } from "../process/io.ts";
import { describeCommand } from "./describe-command.ts";
import type { HelpPage } from "./help-page.ts";
import { helpStyle } from "./help-style.ts";
import { renderHelp } from "./render-help.ts";

/** What help needs to know of the terminal. */
type HelpIo = Pick<Io, "stdout" | "stderr" | "env">;

/** A command whose help is a {@link HelpPage}, as is that of the commands below it. */
export class CommandWithHelp extends Command {
  /** Each of them was created by `createCommand`. */
  declare readonly commands: readonly CommandWithHelp[];
  readonly #io: HelpIo;
  readonly #notes: string[] = [];

  constructor(name: string | undefined, io: HelpIo) {
    super(name);
    this.#io = io;
  }

  override createCommand(name?: string): CommandWithHelp {
    return new CommandWithHelp(name, this.#io);
  }

  /** Adds text to the page. Its position is ignored: every page has the same order. */
  override addHelpText(_position: string, text: string | ((context: AddHelpTextContext) => string)): this {
    this.#notes.push(typeof text === "string" ? text : text({ error: false, command: this }));
    return this;
  }

  describe(): HelpPage {
    return describeCommand(this, this.#notes.join("\n"));
  }

  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    const isError = typeof context === "object" && context.error;
    const { writeOut, writeErr } = this.configureOutput();
    const text = renderHelp(this.describe(), helpStyle(isError ? this.#io.stderr : this.#io.stdout, this.#io.env));
    (isError ? writeErr : writeOut)?.(text);
  }
}
