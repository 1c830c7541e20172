import type { Outcome } from "@siteward/sdk/bulk";

/** What a person does with websites. */
export interface Doing {
  readonly verb: "changed" | "deleted" | "added" | "restored";
  readonly title: string;
  /** The entry that this goes on with, or takes back. */
  readonly entry?: number | undefined;
}

/** What became of one website, without what was wanted. The API says no password, and none that was typed is kept. */
export interface Step extends Outcome {
  /** Why it was not changed, or what an undo has made of it. */
  readonly text: string;
  /** Whether it can be taken back: nothing has done so, and no undo has left it alone. */
  readonly isOpen: boolean;
}

/** Steps that are written together, and never changed. */
export interface Batch extends Doing {
  readonly account: string;
  /** When the entry was begun, with a random fraction: two tabs can begin in the same millisecond. */
  readonly entry: number;
  /** When the batch was written, likewise. */
  readonly part: number;
  readonly steps: readonly Step[];
}

const batches = "batches";
/** In IndexedDB, a list that goes on is after the same list without more, and Infinity is a number. */
const upTo = (account: string, last = Number.POSITIVE_INFINITY) =>
  IDBKeyRange.bound([account], [account, last, Number.POSITIVE_INFINITY]);

/** Where batches are kept. Each method rejects if the browser refuses. */
export const browserStore = {
  add: (batch: Batch) => ask("readwrite", (store) => store.add(batch)),
  all: (account: string) => ask<readonly Batch[]>("readonly", (store) => store.getAll(upTo(account))),
  /** Drops the entries of an account, up to the last of them. */
  drop: (account: string, last?: number) => ask("readwrite", (store) => store.delete(upTo(account, last))),
};

// A page that is closed has no time for this. Some browsers have no store in a private window.
const opened = new Promise<IDBDatabase>((resolve, reject) => {
  const request = indexedDB.open("siteward-journal", 1);
  const keyPath = ["account", "entry", "part"];
  request.onupgradeneeded = () => request.result.createObjectStore(batches, { keyPath });
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
// Each use says so.
opened.catch(() => {});

async function ask<Result = unknown>(
  mode: IDBTransactionMode,
  send: (store: IDBObjectStore) => IDBRequest,
): Promise<Result> {
  const transaction = (await opened).transaction(batches, mode);
  const request = send(transaction.objectStore(batches));
  // A page that is closed does not learn of the answer, and would abort what is not committed.
  transaction.commit();
  return await new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}
