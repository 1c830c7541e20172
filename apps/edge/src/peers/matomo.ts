import { readJson, toAsciiJson } from "../edits/json.ts";
import { type Fields, readParameters } from "../edits/parameters.ts";
import { type CollectRequest, type Peer, type Report, readEach, readVisit, type Visit } from "./peer.ts";

const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==", "base64").toString("latin1");

/** `matomo.php`: a query, a form, or several of both in JSON. Matomo refuses `cip` without a token that allows it. */
export const matomo: Peer = {
  paths: /\/((matomo|piwik)\.php|js\/(index|tracker)\.php)(\/|$)|\/js$/i,
  read: (request) => (isBulk(request) ? readBulk(request) : readSingle(request)),
  answer(request, count) {
    const { method, origin = "*", query, body } = request;
    const [isMany, isGet] = [isBulk(request), method === "GET"];
    const cors = { "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true" };
    const caching = isMany ? {} : { "Cache-Control": "no-store" };
    const headers = { ...(isGet ? caching : cors), "Content-Type": isMany ? "application/json" : "image/gif" };
    const refusesImage = isMany ? /"send_image"\s*:\s*("0"|0)\s*[,}]/ : /(^|&)send_image=0(&|$)/;
    if (refusesImage.test(isMany ? body : `${query}&${body}`)) return { status: 204, headers, body: "" };
    return { status: 200, headers, body: isMany ? `{"status":"success","tracked":${count},"invalid":0}` : gif };
  },
};

/** As Matomo decides it, whatever the method and the type of the body are. */
function isBulk({ body }: CollectRequest): boolean {
  return body.indexOf('"requests"') > 0 || body.indexOf("'requests'") > 0;
}

function readSingle({ method, type, query, body, referer }: CollectRequest): Report {
  // PHP reads no other body, and in POST only.
  const isForm = method === "POST" && /^application\/x-www-form-urlencoded([;, ]|$)/i.test(type);
  const [inQuery, inBody, header] = [readParameters(query), readParameters(isForm ? body : ""), { referer }];
  // The query has the say.
  const of = (name: string) => (inQuery.get(name) === undefined ? inBody : inQuery);
  if (/^multipart/i.test(type) && !of("url").get("url")) throw new SyntaxError("A form in parts is not read.");
  const fields: Fields = { text: "", get: (name) => of(name).get(name), set: (name, to) => of(name).set(name, to) };
  const write = () => ({ query: inQuery.text, body: isForm ? inBody.text : body, ...header });
  return { visits: [readHit(fields, header)], write };
}

/** The requests are in an array or an object, as objects or as strings with a query. */
function readBulk({ body, referer }: CollectRequest): Report {
  const header = { referer };
  const { visits, write } = readEach(body, ["requests"], (json) => {
    const part = readPart(json);
    return [part, readHit(part, header)];
  });
  return { visits, write: (kept) => ({ ...write(kept), ...header }) };
}

function readPart(json: string): Fields {
  const value: unknown = JSON.parse(json);
  if (typeof value !== "string") return readJson(json);
  const start = value.indexOf("?") + 1;
  const parameters = readParameters(value.slice(start).replace(/#.*/s, ""));
  const set = (name: string, to: string) => {
    parameters.set(name, to);
    part.text = toAsciiJson(value.slice(0, start) + parameters.text);
  };
  const part = { text: json, get: (name: string) => parameters.get(name), set };
  return part;
}

/** @param header has the page if there is no URL, as of an image without JavaScript */
function readHit(fields: Fields, header: { referer: string | undefined }): Visit {
  const visit = readVisit(fields, { page: "url", referrer: "urlref", ip: "cip", userAgent: "ua" });
  if (visit.page || visit.referrer) return visit;
  return { ...visit, page: header.referer, set: (_part, url) => void Object.assign(header, { referer: url }) };
}
