import { Command, CommanderError } from "commander";
import { exampleText, setUp } from "./commands/command.ts";
import { type CommandEntry, commands, type GroupEntry } from "./commands/registry.ts";
import { addGlobalFlags } from "./flags/global-flags.ts";
import type { View } from "./output/view.ts";
import { type Io, withBoldTitles, writeText } from "./process/io.ts";
import { version } from "./process/version.ts";

/** The commander program, and what it recorded during its run. */
export interface Program {
  /** @throws CommanderError on wrong usage, WriteError, and whatever the command throws */
  readonly run: (argv: readonly string[]) => Promise<void>;
  /** Returns the words of the command that was called, for messages. */
  readonly calledWords: () => string;
  /** The tree of the commands. A command has its flags and arguments once it is loaded. */
  readonly root: Command;
  /** Loads the file of a command. Returns how its records are shown; undefined if it prints none. */
  readonly load: (command: Command) => Promise<View | undefined>;
  /** Returns the help of all commands, by their words without the name of the program. */
  readonly helpPages: () => Promise<Readonly<Record<string, string>>>;
}

/** Builds the program. A command's file is loaded only when the command or its help is called. */
export function createProgram(io: Io): Program {
  let printed = "";
  const root = new Command("siteward")
    .description("Manage the websites you track with Siteward.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .exitOverride()
    // Not the terms of commander: it knows the arguments of a command only once its file is loaded.
    .configureHelp({ showGlobalOptions: true, helpWidth: 80, subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => {
        printed += text;
      },
      // The help, if a command is missing.
      writeErr: (text) => {
        if (io.facts.areMessagesJson?.() !== true) io.stderr.write(withBoldTitles(text, io.stderr, io.env));
      },
      // main reports it, with every other error.
      outputError: () => undefined,
    })
    .addHelpText("after", `\n${rootHelp}\n${exampleText(rootExamples)}`);
  addGlobalFlags(root);
  const loaders = new Map<Command, CommandEntry["load"]>();
  for (const entry of commands) addEntry(root, entry, loaders);
  const load = async (command: Command): Promise<View | undefined> => {
    const file = await loaders.get(command)?.();
    if (file !== undefined) setUp(command, file.command, io);
    return file?.command.view;
  };
  let called: Command = root;
  for (const parent of listCommands(root).filter(({ commands: children }) => children.length > 0))
    parent.hook("preSubcommand", async (_parent, child) => {
      called = child;
      await load(child);
    });
  return {
    run: async (argv) => {
      const parse = () => root.parseAsync(rewriteHelp(argv), { from: "user" });
      try {
        await parse();
      } catch (error) {
        if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
        if (error.code === "commander.helpDisplayed" && lacksCommand(called)) {
          // Without its help, the group refuses the word.
          called.helpOption(false);
          await parse();
        }
        await writeText(io.stdout, withBoldTitles(printed, io.stdout, io.env));
      }
    },
    calledWords: () => words(called),
    root,
    load,
    helpPages: async () => {
      for (const command of loaders.keys()) await load(command);
      const pages = listCommands(root).map((command) => {
        printed = "";
        command.outputHelp();
        return [words(command).replace(/^siteward ?/, ""), printed];
      });
      return Object.fromEntries(pages);
    },
  };
}

const rootHelp = `\
Settings: flags override SITEWARD_API_KEY, SITEWARD_BASE_URL and
SITEWARD_PROFILE, which override the profile.

Results go to stdout, as a table on a terminal and as JSON elsewhere. Everything
else goes to stderr.

Exit codes: 0 success, 1 service or network failure, 2 wrong usage or rejected
input, 3 not found, 4 not authenticated or not allowed, 5 conflict, 6 rate
limited (HTTP 429), 7 partly done: some of the work failed, 130 interrupted.`;

const rootExamples = [
  "siteward login",
  "siteward websites list",
  "siteward websites create example.com --exclude-params 'utm_*'",
  "siteward websites list --all --output csv > websites.csv",
];

/** Declares a command without what its file says, or a group with its commands. */
function addEntry(
  parent: Command,
  entry: CommandEntry | GroupEntry,
  loaders: Map<Command, CommandEntry["load"]>,
): void {
  const { name, summary } = entry;
  const command = parent.command(name).summary(summary);
  command.description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
  if ("load" in entry) {
    if (entry.alias !== undefined) command.alias(entry.alias);
    loaders.set(command, entry.load);
  } else {
    command.helpCommand(false).addHelpText("after", exampleText(entry.examples));
    for (const child of entry.commands) addEntry(command, child, loaders);
  }
}

/**
 * Turns `help a b`, and `a help b` for a group, into `a b --help`. Commander's own help command would not load the
 * command's file.
 */
function rewriteHelp(argv: readonly string[]): readonly string[] {
  const [first = "", second] = argv;
  if (first === "help") return [...argv.slice(1), "--help"];
  const isGroup = commands.some((entry) => entry.name === first && "commands" in entry);
  return second === "help" && isGroup ? [first, ...argv.slice(2), "--help"] : argv;
}

/** Whether a group was called with a word that is not the name of a command. */
function lacksCommand({ commands: children, args: [word = ""] }: Command): boolean {
  return children.length > 0 && /^[^-]/.test(word);
}

function listCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(listCommands)];
}

function words(command: Command): string {
  return command.parent === null ? command.name() : `${words(command.parent)} ${command.name()}`;
}
