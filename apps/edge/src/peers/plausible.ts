import { readJson } from "../edits/json.ts";
import { anyOrigin, type Peer, readVisit } from "./peer.ts";

const headers = { ...anyOrigin, "Content-Type": "text/plain; charset=utf-8", "X-Plausible-Dropped": "1" };

/** `/api/event`. Plausible knows a website by its domain, and takes a page of any host for it. */
export const plausible: Peer = {
  paths: /\/api\/event$/i,
  read({ body }) {
    const event = readJson(body);
    const choose = (short: string, long: string) => (event.get(short) === undefined ? long : short);
    const names = { page: choose("u", "url"), referrer: choose("r", "referrer"), domain: choose("d", "domain") };
    return { visits: [readVisit(event, names)], write: () => ({ body: event.text }) };
  },
  answer: () => ({ status: 202, headers, body: "ok" }),
};
