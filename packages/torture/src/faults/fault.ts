import type { Random } from "../random.ts";

/** A system call on the database's files that fails. */
export interface Fault {
  /** System calls, comma-separated. */
  readonly calls: string;
  readonly error: "EIO" | "ENOSPC";
  /** Which of the calls fails, counted from 1. */
  readonly nth: number;
  /** Whether all later calls fail too. */
  readonly isLasting: boolean;
}

interface Kind extends Pick<Fault, "calls" | "error"> {
  /** About how many of these calls a round makes, so that any of them can be the one that fails. */
  readonly maxNth: number;
}

const kinds: readonly Kind[] = [
  { calls: "fsync,fdatasync", error: "EIO", maxNth: 15 },
  { calls: "pwrite64", error: "ENOSPC", maxNth: 200 },
  { calls: "fsync,fdatasync", error: "EIO", maxNth: 4 },
  { calls: "pwrite64", error: "EIO", maxNth: 200 },
  { calls: "fsync,fdatasync", error: "ENOSPC", maxNth: 8 },
  { calls: "pread64", error: "EIO", maxNth: 10 },
  { calls: "ftruncate", error: "EIO", maxNth: 2 },
];

/** Chooses the fault of a round. The rounds use every kind in turn. */
export function chooseFault(random: Random, round: number): Fault {
  const kind = kinds[round % kinds.length];
  if (kind === undefined) throw new Error("No kind of fault is defined.");
  const { calls, error, maxNth } = kind;
  return { calls, error, nth: random.integer(1, maxNth), isLasting: random.chance(0.2) };
}

/** Returns the strace options that inject a fault into a database's file, its write-ahead log and the log's index. */
export function toStraceOptions({ calls, error, nth, isLasting }: Fault, file: string): string[] {
  const files = [file, `${file}-wal`, `${file}-shm`].flatMap((path) => ["-P", path]);
  const when = `${nth}${isLasting ? "+" : ""}`;
  return [...files, "-s", "0", "-e", `trace=${calls}`, "-e", `inject=${calls}:error=${error}:when=${when}`];
}
