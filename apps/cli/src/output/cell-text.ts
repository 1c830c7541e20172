/** A value as plain text: lists with their entries between commas, nothing for null. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(cellText).join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
