import type { Permission } from "./layout.ts";
import type { Walls } from "./room.ts";

/** The table that imports are judged by. */
export interface Rules {
  readonly walls: Walls;
  readonly entrances: readonly Permission[];
  readonly modules: readonly Permission[];
}

/** What is decided about an import. */
export interface Verdict {
  /** The file of the repository that is imported. */
  readonly file?: string;
  /** The permissions without which it would be refused. */
  readonly uses?: readonly Use[];
  /** What is wrong, in sentences about the file. */
  readonly problem?: string;
  /** The room whose rule it breaks, and the line there. */
  readonly room?: string;
  readonly key?: string;
}

/** A permission, and which of its names is imported by which of its importers. */
export interface Use {
  readonly permission: Permission;
  readonly name: string;
  readonly by: string;
}
