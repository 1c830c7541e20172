/** One folder of the table with its order. Every path in it is relative to the folder. */
interface Room {
  /** The reason for its rules. Part of every message. */
  readonly because: string;
  /**
   * What is in it, from top to bottom. Each imports only what is below it. `http/` is a folder without its subfolders,
   * `rows/**` a folder with them, `main.ts` one file, `./` the files of the room itself. A folder that is a room of its
   * own is named here with its place among the others. What is on one line, as in `auth/ | http/`, is side by side:
   * they do not import each other. The lower something is, the less it can import, so each is as low as its imports
   * allow.
   */
  readonly order: readonly string[];
  /**
   * What of it others may import, and who, if not all of it is for everybody above. Without this, nothing in another
   * package may import it by a path, and everything above in its own package may.
   */
  readonly entrances?: Permissions;
  /**
   * The packages, built-in modules and globals that may be used in it, and by whom. All others are refused.
   * `node:process` is also the global `process`, `process.env` is the environment, and `node:*` every built-in module.
   */
  readonly modules?: Permissions;
}

/** What may be imported, separated by spaces, and by whom: folders with their subfolders, files, or `.` for all. */
type Permissions = Readonly<Record<string, string | { readonly by: string; readonly because: string }>>;

/** The rooms by their folders, from the root of the repository. */
export type Walls = Readonly<Record<string, Room>>;
