import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "./documented-pages.ts";

/** A command in a message: a template literal of its own, or between backticks within a string. */
const command = /\\`(siteward(?:-server)? [^\n]*?)\\`|`(siteward(?:-server)? [^`\\\n]*)`/g;

/** Returns the commands that the messages of both programs name, each once. `…` takes the place of what the program inserts. */
export function readMessageCommands(): readonly string[] {
  const files = globSync("apps/{cli,server}/src/**/*.ts", { cwd: repositoryRoot }).filter(
    (file) => !/\.test\./.test(file),
  );
  const code = files.map((file) =>
    readFileSync(join(repositoryRoot, file), "utf8").replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, ""),
  );
  const found = code.flatMap((text) => [...text.matchAll(command)].map(([, within, whole]) => within ?? whole ?? ""));
  return [...new Set(found.map((text) => text.replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, "…")))];
}
