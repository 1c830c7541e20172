import { Argument } from "commander";
import { isShell, type Shell, shells } from "../complete/shells.ts";
import { CliError } from "../process/cli-error.ts";
import { writeText } from "../process/io.ts";
import { joinChoices } from "../websites/levels.ts";
import { type CommandSetup, examples } from "./command-setup.ts";

/** Sets up `siteward completion`. */
export const completion: CommandSetup = (command, io) => {
  command
    // Not required by commander, whose message about a missing argument names no shells.
    .addArgument(
      new Argument("[shell]", "shell to print the script for").choices(Object.keys(shells)).argParser(parseShell),
    )
    .usage("[options] <shell>")
    .addHelpText("after", `\n${installHelp}\n${examples(exampleLines)}`)
    .action(async (shell: Shell | undefined) => {
      if (shell === undefined) throw new CliError("usage", `Missing shell. ${useShell}`);
      await writeText(io.stdout, shells[shell]);
    });
};

function parseShell(text: string): Shell {
  if (isShell(text)) return text;
  throw new CliError("usage", `"${text}" is not a known shell. ${useShell}`);
}

const useShell = `Use ${joinChoices(Object.keys(shells))}.`;

const installHelp = `\
The script completes commands, flags, their values, profiles and files, and the
domains of your account. For a domain, it sends one request with the API key of
the profile, which ends after 1.5 seconds. Install it once:

  bash        add to ~/.bashrc:  source <(siteward completion bash)
  zsh         add to ~/.zshrc:   source <(siteward completion zsh)
  fish        add to ~/.config/fish/config.fish:
              siteward completion fish | source
  PowerShell  add to the file $PROFILE:
              siteward completion powershell | Out-String | Invoke-Expression`;

const exampleLines = [
  "siteward completion bash > ~/.local/share/bash-completion/completions/siteward",
  "siteward completion fish > ~/.config/fish/completions/siteward.fish",
];
