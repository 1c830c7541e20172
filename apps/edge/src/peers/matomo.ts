import { JsonFields, joinJson, splitJson } from "../edits/json.ts";
import { type Fields, Parameters } from "../edits/parameters.ts";
import { type CollectRequest, type Peer, type Report, reportOf, type Visit } from "./peer.ts";

const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==", "base64").toString("latin1");

/** `matomo.php`: a query, a form, or several of both in JSON. Matomo refuses `cip` without a token that allows it. */
export const matomo: Peer = {
  paths: /\/((matomo|piwik)\.php|js\/(index|tracker)\.php)(\/|$)|\/js$/i,
  read: (request) => (isBulk(request) ? readBulk(request) : readSingle(request)),
  answer(request, count) {
    const { method, origin = "*", query, body } = request;
    const isGet = method === "GET";
    const allowed = { "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true" };
    const headers: Record<string, string> = isGet ? {} : allowed;
    const refusesImage = isBulk(request) ? /"send_image"\s*:\s*("0"|0)\s*[,}]/ : /(^|&)send_image=0(&|$)/;
    if (isGet && !isBulk(request)) headers["Cache-Control"] = "no-store";
    if (refusesImage.test(isBulk(request) ? body : `${query}&${body}`)) return { status: 204, headers, body: "" };
    headers["Content-Type"] = isBulk(request) ? "application/json" : "image/gif";
    return {
      status: 200,
      headers,
      body: isBulk(request) ? `{"status":"success","tracked":${count},"invalid":0}` : gif,
    };
  },
};

/** As Matomo decides it, whatever the method and the type of the body are. */
function isBulk({ body }: CollectRequest): boolean {
  return body.indexOf('"requests"') > 0 || body.indexOf("'requests'") > 0;
}

function readSingle({ query, body, referer }: CollectRequest): Report {
  const [inQuery, inBody] = [new Parameters(query), new Parameters(body)];
  // The query has the say.
  const of = (name: string) => (inQuery.get(name) === undefined ? inBody : inQuery);
  const get = (name: string) => of(name).get(name);
  const fields = { text: "", get, set: (name: string, to: string) => of(name).set(name, to) };
  const page = { referer };
  const write = () => ({ query: inQuery.text, body: inBody.text, ...page });
  return reportOf([fields], (part) => readVisit(part, page), write);
}

/** The requests are in an array or an object, as strings with a query or as objects. */
function readBulk({ body, referer }: CollectRequest): Report {
  const { requests } = Object(new JsonFields(body).value);
  if (typeof requests !== "object" || requests === null) throw new SyntaxError("There are no requests.");
  const page = { referer };
  const parts = splitJson(body, ["requests"]).map(readItem);
  const write = (texts: readonly (string | undefined)[]) => ({ body: joinJson(body, ["requests"], texts), ...page });
  return reportOf(parts, (part) => readVisit(part, page), write);
}

function readItem(json: string): Fields {
  const value: unknown = JSON.parse(json);
  if (typeof value !== "string") return new JsonFields(json);
  const [, head = "", query = "", tail = ""] = /^([^?#]*\??)([^#]*)(.*)$/s.exec(value) ?? [];
  const parameters = new Parameters(query);
  return {
    get text() {
      return parameters.text === query ? json : JSON.stringify(head + parameters.text + tail);
    },
    get: (name) => parameters.get(name),
    set: (name, to) => parameters.set(name, to),
  };
}

/** @param page without any URL, the page is in the header `Referer`, as of an image without JavaScript */
function readVisit(fields: Fields, page: { referer: string | undefined }): Visit {
  const read = (name: string) => fields.get(name)?.replace(/^0$/, "") || undefined;
  const [url, referrer] = [read("url"), read("urlref")];
  const isInHeader = url === undefined && referrer === undefined;
  return {
    page: isInHeader ? page.referer : url,
    referrer,
    ip: read("cip"),
    userAgent: read("ua"),
    set(part, to) {
      if (isInHeader) page.referer = to;
      else fields.set(part === "page" ? "url" : "urlref", to);
    },
  };
}
