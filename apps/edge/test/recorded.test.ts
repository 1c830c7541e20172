import { afterAll, beforeAll, describe, expect, test } from "vitest";
import recorded from "./data/recorded.json" with { type: "json" };
import { type Edge, openEdge, type Received } from "./support/edge.ts";
import { type Peer, startPeer } from "./support/peer.ts";

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

describe.for(Object.entries(peers))("what a real %s counted", ([COLLECT, { requests }]) => {
  const resources = new AsyncDisposableStack();
  const edges: Edge[] = [];
  let peer: Peer | undefined;
  beforeAll(async () => {
    peer = resources.use(await startPeer());
    for (const UNKNOWN of ["pass", "drop"]) {
      edges.push(resources.use(await openEdge({ COLLECT, PEER: peer.url, UNKNOWN })));
    }
  });
  afterAll(() => resources.disposeAsync());

  test.for(requests as Recorded[])(
    "is cleaned, or dropped and answered alike: $name",
    async ({ name, request, answer }) => {
      const bytes = textOf(request);
      const sent = { ...request, body: bytes.length === 0 ? undefined : bytes };
      const asBot = { ...sent, headers: { ...request.headers, "user-agent": "curl/8.14.1" } };
      await edges[0]?.send(asBot);
<<<<<<< HEAD
      expect(peer?.take()).toHaveLength(unread.includes(name) ? 1 : 0);
=======
      expect(setting.peer.take()).toHaveLength(free.test(name) ? 1 : 0);
>>>>>>> 31a9f52e (Judge a visit of Umami by the hostname for which Umami counts it)
      const dropped = await edges[1]?.send(asBot);
      expect(peer?.take()).toEqual([]);
      const due = answerOf({ ...answer, body: textOf(answer).toString("latin1") });
      if (!own.test(name)) expect(dropped && answerOf(dropped)).toEqual(due);
      await edges[0]?.send(sent);
      // Matomo ignores the query of bulk.
      const passed = peer
        ?.take()
        .map(({ path, headers, body }) => [name.startsWith("bulk") || path, headers.referer, `${body}`]);
      if (!free.test(name)) expect(decodeURIComponent(`${passed}`)).not.toContain("utm_");
    },
  );
});
