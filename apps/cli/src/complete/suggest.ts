import { isProfileName, readProfileFile } from "../client/profiles.ts";
import type { Io } from "../process/io.ts";
import type { Candidate, Position } from "./position.ts";

/** What can follow. A shell completes files itself. In a list, another entry can follow, so the shell adds no space. */
export interface Answer {
  readonly kind: "file" | "word" | "list";
  readonly candidates: readonly Candidate[];
}

/** Returns what can follow at this position. Profiles are read from their file, domains from the service. */
export async function suggest(io: Io, position: Position): Promise<Answer> {
  const { expected, typed, before } = position;
  const startingWith = (candidates: readonly Candidate[], start = typed, kept = before): readonly Candidate[] =>
    candidates
      .filter(({ value }) => value.startsWith(start))
      .map((candidate) => ({ ...candidate, value: kept + candidate.value }));
  if (typeof expected !== "string") return { kind: "word", candidates: startingWith(expected) };
  switch (expected) {
    case "fields": {
      // The last name of a comma-separated list, without those that are in it.
      const listed = typed.split(",");
      const last = listed.pop() ?? "";
      const names = position.fields.filter((name) => !listed.includes(name)).map((value) => ({ value }));
      return {
        kind: "list",
        candidates: startingWith(names, last, before + typed.slice(0, typed.length - last.length)),
      };
    }
    case "name": {
      // Any other name was not written by the CLI, which would not accept it.
      const { profiles } = await readProfileFile(io);
      const names = [...profiles.byName.keys()].filter(isProfileName).sort();
      return { kind: "word", candidates: startingWith(names.map((value) => ({ value }))) };
    }
    case "website": {
      const { suggestDomains } = await import("./suggest-domains.ts");
      return { kind: "word", candidates: await suggestDomains(io, position) };
    }
    default:
      return { kind: expected === "file" ? "file" : "word", candidates: [] };
  }
}
