const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** Reads a duration such as `90d`, in m, h, d or w, in milliseconds. Returns undefined for any other text. */
export function readDurationMs(text: string): number | undefined {
  const match = /^([1-9]\d{0,4})([mhdw])$/.exec(text);
  if (match === null) return undefined;
  // The pattern matches only the letters of the table.
  const unit = match[2] as keyof typeof unitMs;
  return Number(match[1]) * unitMs[unit];
}
