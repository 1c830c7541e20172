import { announce } from "./announce.ts";
import { groupWrites } from "./group-writes.ts";
import { serveWebsites } from "./serve-websites.ts";
import { openSqliteWebsites } from "./sqlite-websites.ts";

/** node:http with its defaults and the queries on SQLite. Writes that arrive together are committed together. */
const file = (process.argv[2] ?? "").slice("file:".length);
announce(serveWebsites(groupWrites(openSqliteWebsites(file))));
