import { announce } from "./announce.ts";
import { serveWebsites } from "./serve-websites.ts";
import { openSqliteWebsites, type SqliteWebsites } from "./sqlite-websites.ts";
import type { Websites } from "./websites.ts";

/** node:http with its defaults and the queries on SQLite. Writes that arrive together are committed together. */
const file = (process.argv[2] ?? "").slice("file:".length);
announce(serveWebsites(groupWrites(openSqliteWebsites(file))));

interface Write {
  readonly run: () => object | undefined;
  readonly answer: (result: object | undefined) => void;
}

/**
 * Commits together what arrives together: while a commit is synced, requests wait in their sockets. The event loop then reads
 * all of them before `setImmediate` calls back, and one transaction makes them durable.
 */
function groupWrites(websites: SqliteWebsites): Websites {
  let waiting: Write[] = [];
  const commit = () => {
    const group = waiting;
    waiting = [];
    const results = websites.inTransaction(() => group.map(({ run }) => run()));
    for (const [index, { answer }] of group.entries()) answer(results[index]);
  };
  const enqueue = (run: Write["run"]) =>
    new Promise<object | undefined>((answer) => {
      if (waiting.push({ run, answer }) === 1) setImmediate(commit);
    });
  return {
    ...websites,
    create: (website) => enqueue(() => websites.insert(website)),
    update: (id, change) => enqueue(() => websites.change(id, change)),
  };
}
