import { readJson } from "../edits/json.ts";
import { readParameters } from "../edits/parameters.ts";
import { goatcounter } from "./goatcounter.ts";
import { matomo } from "./matomo.ts";
import { anyOrigin, type Peer, readVisit } from "./peer.ts";
import { plausible } from "./plausible.ts";
import { umami } from "./umami.ts";

const peers = new Map<string, Peer>(Object.entries({ matomo, umami, plausible, goatcounter }));

/** Reads a kind such as `umami`, with a path where it collects too, as `umami:/x`, or `json:/path:field`. */
export function choosePeer(text: string): Peer | undefined {
  const [, kind = "", path, field] = /^(\w+)(?::(\/[^:]*))?(?::([^:*]+))?$/.exec(text) ?? [];
  if ((kind === "json") !== (path !== undefined && field !== undefined)) return undefined;
  const peer = field === undefined ? peers.get(kind) : mapField(field);
  if (peer === undefined || path === undefined) return peer;
  const own = path.replace(/\/$/, "").replaceAll(/[^\w/-]/g, "\\$&");
  return { ...peer, paths: new RegExp(`^${own}$|${peer.paths.source}`, "i") };
}

/** The URL of the page is at a path of JSON, such as `payload.url`, or in a parameter of a query or a form. */
function mapField(field: string): Peer {
  return {
    paths: /(?!)/,
    read({ query, body }) {
      const inQuery = readParameters(query);
      const inBody = /^\s*[[{]/.test(body) ? readJson(body) : readParameters(body);
      const fields = inQuery.get(field) === undefined ? inBody : inQuery;
      const write = () => ({ query: inQuery.text, body: inBody.text });
      return { visits: [readVisit(fields, { page: field })], write };
    },
    answer: () => ({ status: 202, headers: anyOrigin, body: "" }),
  };
}
