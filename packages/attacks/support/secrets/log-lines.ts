import { writeRequest } from "../client/write-request.ts";

/** Builds requests with characters that would end a line of the log, or control a terminal that shows it. */
export function createLineBreakers(apiKey: string): Uint8Array[] {
  const breakers = ["\n", "\r", "\u001b[2J", "\u007f", "\u0085", "\u009b31m", "\u2028", "\u0000", '"}\\n{"level":60}'];
  const encoded = breakers.map((text) => encodeURIComponent(text));
  const get = { method: "GET", apiKey };
  const asLatin1 = ["\u0085", "\u009b31m", "é", "\u001b", "\t"];
  const json = { "content-type": "application/json" };
  const requests = [
    ...encoded.map((text) => ({ ...get, path: `/api/v1/websites/${text}` })),
    ...encoded.map((text) => ({ ...get, path: `/api/v1/websites?search=${text}` })),
    ...asLatin1.map((text) => ({ ...get, path: `/api/v1/${text}` })),
    ...asLatin1.map((text) => ({ ...get, path: "/api/v1/account", headers: { "x-request-id": `a${text}b` } })),
  ];
  const bodies = breakers.map((domain) => JSON.stringify({ domain }));
  const posts = bodies.map((body) => ({ method: "POST", path: "/api/v1/websites", apiKey, headers: json, body }));
  return [
    ...requests.map((request) => Buffer.from(writeRequest(request), "latin1")),
    ...posts.map((post) => Buffer.from(writeRequest(post))),
  ];
}

/** Checks the lines of a log: each must be one JSON object without characters that control a terminal. */
export function judgeLines(log: string): string[] {
  const lines = log.split("\n").filter((line) => line !== "");
  const found = lines.flatMap((line) => {
    if (/[\p{Cc}\u2028\u2029]/u.test(line))
      return [`A line of the log contains a control character: ${JSON.stringify(line)}`];
    return isJson(line) ? [] : [`A line of the log is not JSON: ${line}`];
  });
  return [...new Set(found)].slice(0, 5);
}

function isJson(line: string): boolean {
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}
