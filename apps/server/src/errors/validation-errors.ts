/** What a schema says of one refused value. */
export interface ValidationIssue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
  /** Names that a closed object does not know. */
  readonly keys?: readonly string[];
}

/** A request can name tens of thousands of unknown fields; the answer must not grow with it. */
const maxFields = 100;

/** Gathers the messages by field. What concerns the whole body stands under `body`. */
export function collectFieldErrors(issues: readonly ValidationIssue[]): Record<string, string[]> {
  const errors = new Map<string, string[]>();
  for (const issue of issues) {
    for (const field of issue.keys ?? [fieldOf(issue)]) {
      if (errors.size >= maxFields && !errors.has(field)) break;
      errors.set(field, [...(errors.get(field) ?? []), issue.message]);
    }
  }
  return Object.fromEntries(errors);
}

function fieldOf({ path }: ValidationIssue): string {
  const first = path?.[0];
  if (first === undefined) return "body";
  return String(typeof first === "object" ? first.key : first);
}
