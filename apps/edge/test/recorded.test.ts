import { beforeAll, describe, expect, test } from "vitest";
import recorded from "./data/recorded.json" with { type: "json" };
import { type Edge, type Received, useSetting } from "./support/edge.ts";

type Headers = Readonly<Record<string, string>>;
interface Text {
  readonly body?: string;
  readonly bodyBase64?: string;
}
interface Recorded {
  readonly name: string;
  readonly request: Text & { readonly method: string; readonly path: string; readonly headers?: Headers };
  readonly answer: Text & { readonly status: number; readonly headers: Headers };
}

/** Nobody knows whose visits these are, so they pass, or the rest of the request does. */
const free = /^(POST, multipart|GET without url and Referer|send, hostname (missing|empty)|batch, one invalid)$/;
/** The peer answers as only it can: it knows the token, and that of two visits it counts one. */
const own = /token_auth|one unknown site|gzip/;
const { about: _, ...peers } = recorded;

/** What a tracker sees. */
function answerOf({ status, body, headers }: Received) {
  const names = ["content-type", "cache-control", "access-control-allow-origin", "access-control-allow-credentials"];
  const seen = names.filter((name) => status !== 204 || name !== "content-type").map((name) => [name, headers[name]]);
  return { status, body, ...Object.fromEntries(seen) };
}

function textOf({ body = "", bodyBase64 }: Text): Buffer {
  return bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, "base64");
}

const setting = useSetting();

describe.for(Object.entries(peers))("what a real %s counted", ([COLLECT, { requests }]) => {
  let edges: Edge[] = [];
  beforeAll(async () => {
    edges = [await setting.open({ COLLECT }), await setting.open({ COLLECT, UNKNOWN: "drop" })];
  });

  test.for(requests as Recorded[])(
    "is cleaned, or dropped and answered alike: $name",
    async ({ name, request, answer }) => {
      const bytes = textOf(request);
      const sent = { ...request, body: bytes.length === 0 ? undefined : bytes };
      const asBot = { ...sent, headers: { ...request.headers, "user-agent": "curl/8.14.1" } };
      await edges[0]?.send(asBot);
      expect(setting.peer.take()).toHaveLength(free.test(name) ? 1 : 0);
      const dropped = await edges[1]?.send(asBot);
      expect(setting.peer.take()).toEqual([]);
      const due = answerOf({ ...answer, body: textOf(answer).toString("latin1") });
      if (!own.test(name)) expect(dropped && answerOf(dropped)).toEqual(due);
      await edges[0]?.send(sent);
      // Matomo ignores the query of bulk.
      const passed = setting.peer
        ?.take()
        .map(({ path, headers, body }) => [name.startsWith("bulk") || path, headers.referer, `${body}`]);
      if (!free.test(name)) expect(decodeURIComponent(`${passed}`)).not.toContain("utm_");
    },
  );
});
