import { readParameters } from "../edits/parameters.ts";
import { anyOrigin, type Peer, readVisit } from "./peer.ts";

const gif = Buffer.from("R0lGODlhAQABAIABAP///wAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64").toString("latin1");
const headers = { ...anyOrigin, "Content-Type": "image/gif", "Cross-Origin-Resource-Policy": "cross-origin" };

/** `/count`. The query has the path of the page, and the browser says on which host it is. */
export const goatcounter: Peer = {
  paths: /\/count$/i,
  read({ query, origin, referer }) {
    const host = (URL.parse(origin ?? "") ?? URL.parse(referer ?? ""))?.origin;
    const names = host === undefined || host === "null" ? {} : { page: "p", referrer: "q" };
    const parameters = readParameters(query, "first");
    return { visits: [readVisit(parameters, names, host)], write: () => ({ query: parameters.text }) };
  },
  answer: () => ({ status: 202, headers, body: gif }),
};
