/** What a schema says of one refused value. */
export interface ValidationIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
  /** Names that a closed object does not know. */
  readonly keys?: readonly string[];
}

/** A request can name tens of thousands of unknown fields; the answer must not grow with it. */
const maxNamedFields = 100;

/** The same holds for one name of 64 KiB, which an answer would give twice and with each control character as `\u0000`. */
const maxNameLength = 200;

/** Gathers the messages by field. What concerns the whole body stands under `body`. */
export function collectFieldErrors(issues: readonly ValidationIssue[]): Record<string, string[]> {
  const errors = new Map<string, string[]>();
  for (const issue of issues) {
    for (const name of issue.keys ?? [fieldOf(issue)]) {
      const field = shorten(name);
      const messages = errors.get(field);
      if (messages !== undefined) messages.push(issue.message);
      else if (errors.size < maxNamedFields) errors.set(field, [issue.message]);
      else break;
    }
  }
  return Object.fromEntries(errors);
}

function shorten(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
}

function fieldOf({ path }: ValidationIssue): string {
  const first = path?.[0];
  if (first === undefined) return "body";
  return String(typeof first === "object" ? first.key : first);
}
