import type { Io } from "../process/io.ts";
import type { Answer } from "./answer.ts";
import type { Candidate, Position } from "./position.ts";

/**
 * Returns what can follow at this position. Profiles are read from their file, domains from the service. Each kind of value loads
 * its own file, since a person waits for the answer.
 */
export async function suggest(io: Io, position: Position): Promise<Answer> {
  const { expected, typed, before } = position;
  switch (expected.kind) {
    case "file":
      return { kind: "file" };
    case "fields":
      return await suggestFields(position);
    case "name":
      return words(before, startingWith(typed, expected.names));
    case "choice":
      return words(before, startingWith(typed, expected.choices.map(plain)));
    case "profile": {
      const { suggestProfiles } = await import("./suggest-profiles.ts");
      return words(before, startingWith(typed, (await suggestProfiles(io)).map(plain)));
    }
    case "website": {
      const { suggestDomains } = await import("./suggest-domains.ts");
      return words(before, await suggestDomains(io, position));
    }
    case "text":
      return words(before, []);
  }
}

/** Completes the last name of a comma-separated list, without those that are in it. */
async function suggestFields({ command, before, typed }: Position): Promise<Answer> {
  const { fieldNames } = await import("./field-names.ts");
  const listed = typed.split(",");
  const last = listed.pop() ?? "";
  const names = fieldNames(command).filter((name) => !listed.includes(name));
  const start = typed.slice(0, typed.length - last.length);
  return { ...words(before + start, startingWith(last, names.map(plain))), kind: "list" };
}

function plain(value: string): Candidate {
  return { value, description: "" };
}

function startingWith(typed: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(typed));
}

function words(before: string, candidates: readonly Candidate[]) {
  return { kind: "word", candidates: candidates.map((each) => ({ ...each, value: before + each.value })) } as const;
}
