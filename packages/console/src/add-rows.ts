import { type Siteward, toCanonicalDomain } from "@siteward/sdk";
import { say } from "./words.ts";

/** A line of the list of domains, and what happens with it. */
export interface Row {
  readonly line: number;
  readonly text: string;
  /** The canonical domain. Empty if the line is none. */
  readonly domain: string;
  readonly state: keyof typeof stateLabels;
  readonly note: string;
}

export const stateLabels = {
  new: "Will be added",
  exists: "Exists already",
  twice: "Twice in the list",
  invalid: "Not a domain",
  added: "Added",
  failed: "Not added",
} as const;

/** For more, the terminal tool is better: it reads files, and goes on where it was stopped. */
export const maxRows = 5_000;

/** Reads domains, and URLs of pages too, one on each line or with commas between them. */
export function readRows(text: string): Row[] {
  const seen = new Set<string>();
  const lines = text
    .split("\n")
    .map((parts, at) => parts.split(/[,;]/).map((part) => ({ line: at + 1, text: part.trim() })));
  return lines
    .flat()
    .filter(({ text }) => text !== "")
    .map((part): Row => {
      try {
        const domain = toCanonicalDomain(/^https?:\/\//i.test(part.text) ? new URL(part.text).hostname : part.text);
        const state = seen.has(domain) ? "twice" : "new";
        seen.add(domain);
        return { ...part, domain, state, note: "" };
      } catch (error) {
        return { ...part, domain: "", state: "invalid", note: say(error) };
      }
    });
}

/** Finds those that exist with a request for each, or with all pages if they are fewer. */
export async function findExisting(client: Siteward, rows: readonly Row[]): Promise<ReadonlySet<string>> {
  const domains = rows.filter(({ state }) => state === "new").map(({ domain }) => domain);
  if (domains.length === 0) return new Set();
  const { meta } = await client.websites.list({ per_page: 10 });
  const websites =
    domains.length > meta.total / 100
      ? await client.websites.list().toArray({ limit: Number.POSITIVE_INFINITY })
      : await Promise.all(domains.map((domain) => client.websites.getByDomain(domain)));
  return new Set(websites.flatMap((website) => website?.domain ?? []));
}

/** Such as `Will be added: 300, public · Not a domain: 1`. */
export function countRows(rows: readonly Row[], privacy: 0 | 1 | 2): string {
  const visible = [", public", ", private", ", with a password"][privacy];
  // The cast is safe: these are the keys of the object.
  const states = Object.keys(stateLabels) as Row["state"][];
  const counts = states.map((state) => [state, rows.filter((row) => row.state === state).length] as const);
  return counts
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${stateLabels[state]}: ${count.toLocaleString("en")}${state === "new" ? visible : ""}`)
    .join(" · ");
}
