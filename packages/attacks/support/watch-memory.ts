import { readResidentBytes } from "@siteward/testing/process-tree";

/** Bytes as whole megabytes (10^6). */
export function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}

/** Records the most memory that a process uses, until it is stopped. */
export function watchMemory(processId: number): { readonly stop: () => number } {
  let peakBytes = 0;
  const look = () => {
    peakBytes = Math.max(peakBytes, readResidentBytes(processId));
  };
  const timer = setInterval(look, 50);
  return {
    stop: () => {
      look();
      clearInterval(timer);
      return peakBytes;
    },
  };
}
