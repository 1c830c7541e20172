import type { Parsed } from "@siteward/contract/website-settings";

/** Parses JSON. The reason names a place, never the text around it, which could contain a password. */
export function parseJson(text: string): Parsed<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    const [place = ""] = /\(line \d+ column \d+\)/.exec(String(error)) ?? [];
    return { ok: false, reason: `is not valid JSON ${place}`.trimEnd() };
  }
}

/** Whether a value is an object, and not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
