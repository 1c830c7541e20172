import type { CommandFigure } from "../docs/figures.ts";
import { engineNames, engineTitles } from "../engines/bench-engine.ts";
import { formatCount } from "../format.ts";
import { commandNames, commands } from "./commands.ts";

export const commandHeadings = ["websites", "seconds", "CLI s", "server s", "database s"] as const;

/** Returns one row for each command on each engine, with its name. */
export function toCommandRows(figures: readonly CommandFigure[]): string[][] {
  const ordered = engineNames.flatMap((engine) =>
    commandNames.flatMap((command) =>
      figures.filter((figure) => figure.engine === engine && figure.command === command),
    ),
  );
  return ordered.map((figure) => [
    `${engineTitles[figure.engine]}, ${commands[figure.command].title}`,
    formatCount(figure.websites),
    ...[figure.seconds, figure.cliSeconds, figure.serverSeconds].map(formatSeconds),
    // SQLite runs in the server.
    figure.engine === "sqlite" ? "" : formatSeconds(figure.databaseSeconds),
  ]);
}

function formatSeconds(value: number): string {
  return value.toFixed(2);
}
