import { beforeAll, describe, expect, test } from "vitest";
import { type Edge, type Received, type Sent, useSetting } from "./support/edge.ts";

/**
 * A row is a request, what else it says, and what arrives of it. {long} and {short} stand for the URL of the page with and without
 * what is excluded, {other} for that of no website, {/long} and {/short} for the path alone. Braces encode, <> do not.
 *
 *     clean   what is {long} arrives as {short}, and every other byte as it was sent
 *     no utm  no excluded parameter arrives: the URL is cleaned, or malformed and dropped
 *     free    it has no rules, and passes as it is, also from a bot
 *
 * All others arrive as the row says. What has rules is dropped if a bot or an excluded network sends it.
 */
const tables = {
  matomo: `
a query                   | GET /matomo.php?idsite=1&_cvar=%7B%7D&&url={long}&r=%7e+1               |           | clean
the older name            | GET /stats/piwik.php?idsite=1&url={long}                                |           | clean
a referrer of the site    | GET /matomo.php?idsite=1&urlref={long}&url={short}                      |           | clean
another referrer          | GET /matomo.php?idsite=1&urlref={other}&url={long}                      |           | clean
a form                    | POST /matomo.php idsite=1&_cvar=%7B%7D&&url={long}&r=%7e+1              | form      | clean
a query and a form        | POST /matomo.php?idsite=1&url={long} url={short}&a=%7e                  | form      | clean
a form of dashes          | POST /matomo.php --x=1&idsite=1&url={long}                              | form      | clean
a query and dashes        | POST /matomo.php?idsite=1&url={long} --x                                | form      | clean
an encoded name           | GET /matomo.php?idsite=1&%75rl={long}                                   |           | clean
bulk of strings           | POST /matomo.php {"requests" : ["?idsite=1&url={long}", "?url={short}"] } | text    | clean
bulk of objects           | POST /matomo.php {"requests":[{"idsite":1, "url":"<long>"}],"a":"\\u00e9\\/"} | json | clean
bulk twice                | POST /matomo.php {"requests":["?url={short}&n=1"],"requests":["?url={long}&n=2"]} | json | clean
bulk next to a query      | POST /matomo.php?idsite=1&url={short} {"requests":["?url={long}"]}      | json      | clean
some of bulk are bots     | POST /matomo.php {"requests":[{"url":"<long>","ua":"curl/8"},"?url={long}"]} | json | POST /matomo.php {"requests":["?url={short}"]}
a foreign page            | GET /matomo.php?idsite=1&url={other}                                    |           | free
no visit                  | GET /matomo.php                                                         |           | free
another path              | GET /index.php?module=API                                               |           | free
/js/                      | GET /js/?idsite=1&url={long}                                            |           | clean
/js/index.php             | GET /js/index.php?idsite=1&url={long}                                   |           | clean
/js/tracker.php           | GET /js/tracker.php?idsite=1&url={long}                                 |           | clean
more path                 | GET /matomo.php/x?idsite=1&url={long}                                   |           | clean
two slashes               | GET //matomo.php?idsite=1&url={long}                                    |           | clean
an encoded letter         | GET /%6datomo.php?idsite=1&url={long}                                   |           | clean
a dot                     | GET /./matomo.php?idsite=1&url={long}                                   |           | clean
two dots                  | GET /x/../matomo.php?idsite=1&url={long}                                |           | clean
encoded dots              | GET /x/%2e%2E/matomo.php?idsite=1&url={long}                            |           | clean
absolute form             | GET http://stats.example/matomo.php?idsite=1&url={long}                 |           | no utm
a fragment                | GET /matomo.php?idsite=1&url={long}#x                                   |           | no utm
no url                    | GET /matomo.php?idsite=1&rec=1                                          | page      | no utm
an empty url              | GET /matomo.php?idsite=1&rec=1&url=                                     | page      | no utm
spaces around             | GET /matomo.php?idsite=1&url=%20{long}%20                               |           | no utm
plus signs around         | GET /matomo.php?idsite=1&url=+{long}+                                   |           | no utm
a name up to a NUL        | GET /matomo.php?idsite=1&url=//x&url%00x={long}                         |           | clean
a tab before a name       | GET /matomo.php?idsite=1&url={long}&%09url=//x                          |           | clean
a form in plain text      | POST /matomo.php?idsite=1 url=https://other.example                     | text,page | no utm
a form of PUT             | PUT /matomo.php?idsite=1 url=https://other.example                      | form,page | no utm
a NUL before              | GET /matomo.php?idsite=1&url=%00{long}                                  |           | no utm
a tab and a line break    | GET /matomo.php?idsite=1&url=%09{long}%0A                               |           | no utm
`,
  umami: `
a path                    | POST /api/send { "payload":{"hostname":"shop.example","url":"</long>","title":"\\u00e9\\/"}} | json | clean
a URL                     | POST /api/send {"payload":{"hostname":"shop.example","url":"<long>"}}   | json      | clean
a referrer                | POST /api/send {"payload":{"hostname":"shop.example","url":"/","referrer":"</long>"}} | json | clean
a beacon                  | POST /api/send {"payload":{"hostname":"shop.example","url":"</long>"}}  | text      | clean
a path of its own         | POST /own/send {"payload":{"hostname":"shop.example","url":"</long>"}}  | json      | clean
an escaped name           | POST /api/send {"payload":{"hostname":"shop.example","\\u0075rl":"</long>"}} | json | clean
an invented address       | POST /api/send {"payload":{"ip":"203.0.113.9","hostname":"shop.example","url":"/"}} | json | POST /api/send {"payload":{"hostname":"shop.example","url":"/"}}
a program's visitor       | POST /api/send {"payload":{"ip":"198.51.100.9","hostname":"shop.example","url":"</long>"}} | json,program | clean
a program in the office   | POST /api/send {"payload":{"ip":"203.0.113.9","hostname":"shop.example","url":"/"}} | json,program | nothing
a bot by its field        | POST /api/send {"payload":{"userAgent":"curl/8","hostname":"shop.example","url":"/"}} | json | nothing
a batch                   | POST /api/batch [{"payload":{"hostname":"shop.example","url":"</long>"}}] | json    | clean
some of a batch are bots  | POST /api/batch [{"payload":{"userAgent":"curl/8","url":"<long>"}},{"payload":{"url":"<long>"}}] | json | POST /api/batch [{"payload":{"url":"<short>"}}]
a foreign page            | POST /api/send {"payload":{"hostname":"other.example","url":"/?utm_source=a"}} | json | free
another path              | POST /api/auth/login {"url":"<long>"}                                   | json      | free
a dot                     | POST /api/./send {"payload":{"hostname":"shop.example","url":"</long>"}} | json     | clean
an encoded dot            | POST /api/%2e/send {"payload":{"hostname":"shop.example","url":"</long>"}} | json   | clean
two slashes               | POST //api/send {"payload":{"hostname":"shop.example","url":"</long>"}} | json      | clean
an encoded letter         | POST /api/%73end {"payload":{"hostname":"shop.example","url":"</long>"}} | json     | clean
no slash                  | POST /api/send {"payload":{"hostname":"shop.example","url":"a?utm_source=b"}} | json | no utm
a query alone             | POST /api/send {"payload":{"hostname":"shop.example","url":"?utm_source=b"}} | json | no utm
no scheme                 | POST /api/send {"payload":{"hostname":"shop.example","url":"//shop.example/?utm_source=b"}} | json | no utm
spaces around             | POST /api/send {"payload":{"hostname":"shop.example","url":" <long> "}} | json      | no utm
a byte order mark         | POST /api/send \ufeff{"payload":{"hostname":"shop.example","url":"</long>"}} | json | no utm
a field twice             | POST /api/send {"payload":{"hostname":"shop.example","url":"/","url":"</long>"}} | json | no utm
`,
  plausible: `
a beacon                  | POST /api/event {"n":"pageview", "u":"<long>","d":"shop.example"}       | text      | clean
long names                | POST /api/event {"name":"pageview","url":"<long>","domain":"shop.example"} | json   | clean
a referrer                | POST /api/event {"u":"<short>","d":"shop.example","r":"<long>"}         | json      | clean
several domains           | POST /api/event {"u":"<long>","d":"all.example,shop.example"}           | json      | clean
a foreign page            | POST /api/event {"u":"<other>","d":"shop.example"}                      | json      | nothing
no website's domain       | POST /api/event {"u":"<other>","d":"other.example"}                     | json      | free
`,
  goatcounter: `
a path                    | GET /count?p={/long}&t=%7e+1                                            | origin    | clean
a page by its referrer    | GET /count?p={/long}                                                    | page      | clean
a beacon                  | POST /count?p={/long}                                                   | origin    | clean
a query of its own        | GET /count?p=%2Fa&q=%3Futm_source%3Da%26b%3D1                           | origin    | GET /count?p=%2Fa&q=%3Fb%3D1
the first of several      | GET /count?p={/long}&p=/b                                               | origin    | clean
an event                  | GET /count?p=click&e=true                                               | origin    | clean
a dot                     | GET /./count?p={/long}                                                  | origin    | clean
a foreign page            | GET /count?p={/long}                                                    | elsewhere | free
`,
  json: `
JSON                      | POST /collect {"payload": {"url":"<long>"} }                            | json      | clean
a form                    | POST /collect a=%7e&payload.url={long}                                  | form      | clean
a query                   | GET /collect?a=%7e&payload.url={long}                                   |           | clean
a foreign page            | POST /collect {"payload":{"url":"<other>"}}                             | json      | free
`,
} as const;

const marks = {
  form: { "content-type": "application/x-www-form-urlencoded" },
  json: { "content-type": "application/json" },
  text: { "content-type": "text/plain;charset=UTF-8" },
  page: { referer: "https://shop.example/a?utm_source=mail" },
  origin: { origin: "https://shop.example" },
  elsewhere: { origin: "https://other.example" },
  program: { "x-forwarded-for": undefined },
};
const urls = {
  long: "https://shop.example/a?utm_source=mail&b=1#c",
  short: "https://shop.example/a?b=1#c",
  other: "https://other.example/a?utm_source=mail",
};
const settings = {
  matomo: "matomo",
  umami: "umami:/own/send",
  plausible: "plausible",
  goatcounter: "goatcounter",
  json: "json:/collect:payload.url",
};
const excluded = [{ "user-agent": "curl/8.14.1" }, { "user-agent": undefined }, { "x-forwarded-for": "203.0.113.9" }];
const gif = Buffer.from("R0lGODlhAQABAIABAP///wAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64").toString("latin1");
/** What the client of a dropped visit gets. recorded.test.ts has the answers of Matomo and Umami. */
const ignored: Readonly<Record<string, Received>> = {
  plausible: { status: 202, body: "ok", headers: { "x-plausible-dropped": "1", "access-control-allow-origin": "*" } },
  goatcounter: { status: 202, body: gif, headers: { "content-type": "image/gif", "access-control-allow-origin": "*" } },
  json: { status: 202, body: "", headers: { "access-control-allow-origin": "*" } },
};

function readRow(row: string) {
  const [name = "", line = "", said = "", arrives = ""] = row.split(" | ").map((cell) => cell.trim());
  const headers = Object.assign({}, ...said.split(",").map((mark) => marks[mark as keyof typeof marks]));
  const dueLine = { clean: line.replaceAll("long", "short"), free: line }[arrives] ?? arrives;
  const due = arrives === "nothing" ? [] : [readLine(dueLine)];
  return { name, arrives, due, sent: { ...readLine(line), headers } };
}

function readLine(line: string) {
  const text = line.replace(/([{<])(\/?)(long|short|other)[}>]/g, (_, open, isPath, name: keyof typeof urls) => {
    const url = isPath === "" ? urls[name] : urls[name].replace(/^https:..[^/]+/, "");
    return open === "{" ? encodeURIComponent(url) : url;
  });
  const [, method = "", path = "", body = ""] = /^(\S+) (\S+) ?(.*)$/.exec(text) ?? [];
  return { method, path, body };
}

const setting = useSetting();

describe.for(Object.keys(tables) as (keyof typeof tables)[])("%s:", (kind) => {
  let edge: Edge | undefined;
  beforeAll(async () => {
    edge = await setting.open({ COLLECT: settings[kind] });
  });
  const exchange = async ({ body, ...sent }: Sent) => {
    const received = await edge?.send({ ...sent, body: body || undefined });
    return {
      received,
      arrived: setting.peer.take().map((one) => ({ method: one.method, path: one.path, body: `${one.body}` })),
    };
  };

  test.for(tables[kind].trim().split("\n").map(readRow))("$name: $arrives", async ({ sent, due, arrives }) => {
    const { arrived } = await exchange(sent);
    if (arrives === "no utm") expect(decodeURIComponent(JSON.stringify(arrived))).not.toContain("utm_");
    else expect(arrived).toEqual(due);
    for (const who of excluded) {
      const { received, arrived: passed } = await exchange({ ...sent, headers: { ...sent.headers, ...who } });
      expect([who, passed]).toEqual([who, arrives === "free" ? due : []]);
      if (arrives !== "free") expect(received).toMatchObject(ignored[kind] ?? {});
    }
  });
});
