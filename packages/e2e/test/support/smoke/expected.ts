const once = { method: "GET", attempts: 1 };
const aborted = { ...once, name: "AbortError", code: "aborted" };
const invalid = { name: "InvalidArgumentError", code: "invalid_argument" };
const apiError = { ...once, name: "ApiError" };
const notFound = { ...apiError, code: "not_found", status: 404 };
const notConnected = { ...once, name: "ConnectionError", code: "connection_failed", requestSent: false };
const broken = { ...notConnected, requestSent: true };
const timedOut = { ...once, name: "TimeoutError", code: "timeout" };

/** What must come of each call of the smoke file, in every runtime. */
export const expected: Readonly<Record<string, unknown>> = {
  "well-formed key": true,
  domains: ["xn--bcher-kva.example", "bücher.example"],
  "a client without options in the environment": "http://127.0.0.1:3000",
  "an unknown option": invalid,
  "account.get": 0,
  "websites.create": [1, 201, "application/json; charset=utf-8", "string", 0],
  "websites.create with a key": [2, 2],
  "websites.get": "one.example.com",
  "websites.update": ["203.0.113.7"],
  "websites.update with an old tag": { ...apiError, method: "PUT", code: "precondition_failed", status: 412 },
  "websites.create of many": 20,
  "websites.update of a record": [],
  "websites.update of another domain": invalid,
  "websites.getByDomain": [1, null],
  "websites.upsert": [201, 200, true],
  request: 20,
  "websites.list().pages": [10, 10, 2],
  "websites.list": ["one.example.com", true, 10, 2],
  "websites.list, iterated": 20,
  "websites.list().toArray": 3,
  "websites.delete": null,
  "an unknown id": notFound,
  "a taken domain": 1,
  "an invalid field": { ...apiError, method: "POST", code: "validation_failed", status: 422 },
  "an invalid argument": invalid,
  "an invalid key": { ...apiError, code: "unauthenticated", status: 401 },
  CommonJS: [true, true],
  "the fake for tests": [2, 1, 2, true],
  "a retry": [7, 1],
  "hooks and a log": ["request 1", "response 1", "GET … will be retried", "retry 1", "request 2", "response 2"],
  "a refused connection": notConnected,
  "an unknown host": notConnected,
  "a closed connection": broken,
  "a cut response": broken,
  "bytes that are not HTTP": broken,
  "https at a port for http": "connection_failed",
  "a redirect": { ...apiError, code: "unexpected_response", status: 302 },
  "no response": timedOut,
  "half a response": timedOut,
  "an aborted call": { ...aborted, reason: "enough" },
  "an aborted wait": { ...aborted, reason: "enough" },
  "a signal that was aborted before": { ...aborted, attempts: 0, reason: "before" },
  "a signal with a timeout": { ...aborted, reason: "TimeoutError" },
};
