import { JsonFields } from "../edits/json.ts";
import { anyOrigin, type Peer, reportOf, type Visit } from "./peer.ts";

/** `/api/event`. Plausible knows a website by its domain, and takes a page of any host for it. */
export const plausible: Peer = {
  paths: /\/api\/event$/i,
  read({ body }) {
    return reportOf([new JsonFields(body)], readVisit, ([text = ""]) => ({ body: text }));
  },
  answer() {
    const headers = { ...anyOrigin, "Content-Type": "text/plain; charset=utf-8", "X-Plausible-Dropped": "1" };
    return { status: 202, headers, body: "ok" };
  },
};

function readVisit(event: JsonFields): Visit {
  const choose = (short: string, long: string) => (event.get(short) === undefined ? long : short);
  const names = { page: choose("u", "url"), referrer: choose("r", "referrer") };
  const domain = event.get(choose("d", "domain"));
  return {
    page: event.get(names.page),
    referrer: event.get(names.referrer),
    // A page can report for several websites. Then its host decides.
    domain: domain?.includes(",") ? undefined : domain,
    set: (part, url) => event.set(names[part], url),
  };
}
