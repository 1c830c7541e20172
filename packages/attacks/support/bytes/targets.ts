import { expecting, get, head, host, keyed, type RawRequests, refused, websites } from "./raw-requests.ts";

/** Request targets: paths that programs read in different ways, and queries. */
export const targets: readonly RawRequests[] = [
  expecting(
    [400],
    [
      ...["http://example.com/healthz", "http://other.example/healthz", "ftp://example.com/healthz", "*"],
      ...["http://a:b@example.com/healthz", "/healthz#x", `/healthz#/..${websites}`, "/healthz?a#b"],
      // What Node cannot read as a URL.
      ...["http://[/healthz", "http://[::bad]:x/healthz"],
    ],
    (target) => get(target),
  ),
  expecting([400], [`http://example.com${websites}`, "/api\\v1\\websites", `${websites}?search=a\\b`], (target) =>
    get(target, keyed),
  ),
  expecting(
    refused,
    [
      ...["example.com:80", "healthz", "\\healthz", "/health z", "/healthz\xfc", "/healthz\0", "/healthz\x7f"],
      ...[`/${"a".repeat(17 * 1024)}`, `/${"a".repeat(1024 * 1024)}`],
    ],
    (target) => get(target),
  ),
  // Only the path counts: it is that of the first page.
  expecting([303], [`/?${websites}`], (target) => get(target)),
  expecting(
    [404],
    [
      ...["//other.example/healthz", "/healthz%00", "/x/../healthz", "/../../etc/passwd", "/%2e%2e/healthz"],
      ...["/./healthz", "//healthz", "/health%7a", "/healthz;a=b", "/API/v1/websites", "/docs/Errors"],
      ...[`/x/..${websites}`, "/docs/errors/__proto__", "/docs/errors/constructor", "/docs/files/../../main.js"],
      ...["/docs/files/..%2f..%2fmain.js/x", "/docs/files/__proto__/start.js", "/api/v10/websites"],
      `/${"a".repeat(15 * 1024)}`,
    ],
    (target) => get(target),
  ),
  expecting(
    [404],
    [
      ...["/api/v1/../../healthz", "/api/v1//websites", `/${websites}`, "/api%2fv1/websites", `${websites}/1%2f2`],
      ...["/%61pi/v1/websites", "/api/v1;/websites", `${websites}/%ff`, `${websites}/__proto__`],
      ...[`${websites}/${"9".repeat(10_000)}`, "/api/v1/WEBSITES/1", "/api/v1/ACCOUNT"],
    ],
    (target) => get(target, keyed),
  ),
  expecting([404], [head("POST /api/v1/Websites HTTP/1.1", host, keyed)]),
  expecting([401], ["/api/v1//websites", "/api/v1/Websites"], (target) => get(target)),
  expecting([200], ["%00", "%27%22%3b--"], (term) => get(`${websites}?search=${term}`, keyed)),
  expecting(
    [422],
    [
      ...["search[$ne]=a", "__proto__=1&__proto__[a]=1&constructor=1", "?search=a", "a&".repeat(5_000)],
      ...[`${"a&".repeat(5_000)}per_page=7`, `page=${"9".repeat(10_000)}`],
    ],
    (query) => get(`${websites}?${query}`, keyed),
  ),
];
