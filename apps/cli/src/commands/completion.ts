import { Argument } from "commander";
import { type Shell, shells } from "../complete/shells.ts";
import { writeText } from "../process/io.ts";
import type { CommandDefinition } from "./command.ts";

/** `siteward completion`. */
export const command: CommandDefinition = {
  declare: (command) =>
    command.addArgument(new Argument("<shell>", "shell to print the script for").choices(Object.keys(shells))),
  help: `\
The script completes commands, flags, their values, profiles and files, and the
domains of your account. For a domain, it sends one request with the API key of
the profile, which ends after 1.5 seconds. Install it once:

  bash        add to ~/.bashrc:  source <(siteward completion bash)
  zsh         add to ~/.zshrc:   source <(siteward completion zsh)
  fish        add to ~/.config/fish/config.fish:
              siteward completion fish | source
  PowerShell  add to the file $PROFILE:
              siteward completion powershell | Out-String | Invoke-Expression`,
  examples: [
    "siteward completion bash > ~/.local/share/bash-completion/completions/siteward",
    "siteward completion fish > ~/.config/fish/completions/siteward.fish",
  ],
  run: ({ io }, shell: Shell) => writeText(io.stdout, shells[shell]),
};
