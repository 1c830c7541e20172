import { readResidentBytes } from "@siteward/testing/process-tree";

/** Bytes as whole megabytes (10^6). */
export function toMegabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}

/** Records the most memory that processes use together, until it is stopped. */
export function watchMemory(processIds: () => readonly number[]): { readonly stop: () => number } {
  let peakBytes = 0;
  const look = () => {
    peakBytes = Math.max(peakBytes, readMemory(processIds()));
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

function readMemory(processIds: readonly number[]): number {
  return processIds.map(readResidentBytes).reduce((sum, bytes) => sum + bytes, 0);
}
