import { announce } from "./announce.ts";
import { openWebsites } from "./open-websites.ts";
import { serveWebsites } from "./serve-websites.ts";

/** node:http with its defaults and the queries. */
announce(serveWebsites(await openWebsites(process.argv[2] ?? "")));
