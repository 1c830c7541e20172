import { copyDatabase } from "../../../src/storage/copy/copy-database.ts";

/** Copies a database. After each chunk of rows, prints the progress and pauses for a moment. */
const [from = "", to = ""] = process.argv.slice(2);
const pause = new Int32Array(new SharedArrayBuffer(4));
await copyDatabase(
  { from, to },
  {
    onProgress: ({ step, table, done }) => {
      process.stdout.write(`${step} ${table} ${done}\n`);
      Atomics.wait(pause, 0, 0, 100);
    },
  },
);
