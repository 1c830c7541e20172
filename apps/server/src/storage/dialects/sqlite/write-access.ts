import { type AppError, databaseReadOnly, isRefusedFor } from "@siteward/service";
import type { WriteRefusal } from "./find-write-refusal.ts";
import { isSqliteFileError } from "./sqlite-error.ts";

/** While changes are refused, one in this time finds out whether they still are. */
export const retryMs = 250;

type FindRefusal = (options: { readonly touches: boolean }) => WriteRefusal | undefined;

/** Knows whether changes are refused because the files may not be written, from what changes have found. */
export class WriteAccess {
  readonly #findRefusal: FindRefusal;
  #refused: { readonly error: AppError; readonly checkedMs: number } | undefined;

  /** @param findRefusal see `findWriteRefusal` */
  constructor(findRefusal: FindRefusal) {
    this.#findRefusal = findRefusal;
  }

  /** Whether the last change was refused. */
  get isRefused(): boolean {
    return this.#refused !== undefined;
  }

  /** Remembers it if a change failed because the files may not be written. */
  note(error: unknown): void {
    const refusal = isSqliteFileError(error) ? this.#findRefusalOfOpenFiles({ touches: true }) : undefined;
    if (refusal !== undefined) this.#refuse(toReadOnly(refusal));
    else if (isRefusedFor(error, "database_read_only")) this.#refuse(error);
  }

  /** Call this when a change was accepted. */
  noteAccepted(): void {
    this.#refused = undefined;
  }

  /** @throws AppError `database_read_only` if the system refuses writes to files that are open */
  requireOpenFiles(): void {
    const refusal = this.#findRefusalOfOpenFiles({ touches: false });
    if (refusal !== undefined) throw toReadOnly(refusal);
  }

  /** @throws AppError `database_read_only` if the system does not let this process open the files to write */
  requireFiles(): void {
    const refusal = this.#findRefusal({ touches: this.isRefused });
    if (refusal !== undefined) throw toReadOnly(refusal);
  }

  /** @throws the error of the last change that was refused, if that was a moment ago */
  requirePause(): void {
    if (this.#refused === undefined) return;
    if (performance.now() - this.#refused.checkedMs < retryMs) throw this.#refused.error;
    this.#refuse(this.#refused.error);
  }

  /** Permissions are only checked when a file is opened. */
  #findRefusalOfOpenFiles(options: Parameters<FindRefusal>[0]): WriteRefusal | undefined {
    const refusal = this.#findRefusal(options);
    return refusal?.concernsOpenFiles === true ? refusal : undefined;
  }

  #refuse(error: AppError): void {
    this.#refused = { error, checkedMs: performance.now() };
  }
}

function toReadOnly({ reason }: WriteRefusal): AppError {
  return databaseReadOnly(new Error(reason));
}
