export {
  type Change,
  type Creation,
  type Deletion,
  type Edit,
  type Entries,
  fieldsOf,
  type Update,
  type Version,
  type VersionTag,
} from "./change.ts";
export { countExposure, type Exposure } from "./exposure.ts";
export type { Outcome, OutcomeState } from "./outcome.ts";
export { type ReadOptions, readVersions, type Wanted } from "./read-versions.ts";
export { type Run, type RunOptions, type RunProgress, runChanges } from "./run.ts";
export { type Undo, undoOf } from "./undo.ts";
