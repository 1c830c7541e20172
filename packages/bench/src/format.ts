/** Formats a number without decimals: `12,345`. */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString("en");
}

/** Formats milliseconds with two digits below 10, and one above. */
export function formatMs(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(1);
}

/** Formats a ratio: `1.25×`. */
export function formatRatio(value: number): string {
  return `${value.toFixed(2)}×`;
}

/** Formats bytes in MB of 1,000,000 bytes. */
export function formatMegabytes(bytes: number): string {
  return `${formatCount(bytes / 1e6)} MB`;
}
