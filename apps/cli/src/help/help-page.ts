/** The help of a command, as data: what `--help` prints at the width of the terminal, and what the reference page shows. */
export interface HelpPage {
  /** How the command is called: `siteward websites get [options] <id>`. */
  readonly usage: string;
  /** What the command does, as a sentence. */
  readonly summary: string;
  readonly arguments: readonly HelpItem[];
  readonly options: readonly HelpItem[];
  /** The options that every command accepts. Empty on the page of the program, because they are its options. */
  readonly globalOptions: readonly HelpItem[];
  /** The commands of a group, or of the program. */
  readonly commands: readonly HelpItem[];
  /** What else to know. A line that starts with a space is printed as it is. */
  readonly paragraphs: readonly string[];
  /** Command lines to copy. They are never wrapped. */
  readonly examples: readonly string[];
}

/** An argument, an option or a command, with what it means. */
export interface HelpItem {
  readonly term: string;
  readonly description: string;
  /** The values that an argument or an option accepts, if they can be listed. Completion suggests them. */
  readonly choices?: readonly string[];
}

/** Pages by the words that call the command, without the name of the program: `websites get`, and `` for the program. */
export type HelpPages = Readonly<Record<string, HelpPage>>;
