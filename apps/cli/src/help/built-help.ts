import type { Io } from "../process/io.ts";
import { builtPages } from "./built-pages.ts";
import type { HelpPage } from "./help-page.ts";
import { helpStyle } from "./help-style.ts";
import { renderHelp } from "./render-help.ts";

/** Returns the help that the arguments request. Undefined if they request anything else, and if the program is not built. */
export function builtHelp(argv: readonly string[], { stdout, env }: Pick<Io, "stdout" | "env">): string | undefined {
  const words = argv[0] === "help" ? argv.slice(1) : argv.slice(0, -1);
  const name = words.join(" ");
  const text = Object.hasOwn(builtPages, name) ? builtPages[name] : undefined;
  if (text === undefined) return undefined;
  const page: HelpPage = JSON.parse(text);
  return renderHelp(page, helpStyle(stdout, env));
}
