import { bashScript } from "./bash-script.ts";
import { fishScript } from "./fish-script.ts";
import { powershellScript } from "./powershell-script.ts";
import { zshScript } from "./zsh-script.ts";

/** The completion script of each shell. It asks the CLI at each press of Tab, so it stays the same when commands change. */
export const shells = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
} as const;

/** The name of a shell. */
export type Shell = keyof typeof shells;
