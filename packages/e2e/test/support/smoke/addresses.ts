import { end } from "../hostile/attack.ts";
import { type Behavior, startHostileServer } from "../hostile/hostile-server.ts";
import { respond, rightAnswerTo } from "../hostile/right-answer.ts";

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const problem = JSON.stringify({ code: "unavailable", title: "Title", detail: "Detail.", status: 503 });
const unavailable = respond({ status: 503, body: problem });
const unavailableForLong = respond({ status: 503, body: problem }, { headers: ["retry-after: 50"] });

/** Servers that go wrong in one way each. */
const behaviors = {
  busy: { onRequest: (socket) => socket.write(unavailableForLong) },
  busyOnce: {
    onRequest: (socket, request) => {
      const isRetry = request.headers.has("x-siteward-retry-count");
      socket.write(isRetry ? respond(rightAnswerTo(request)) : unavailable);
    },
  },
  closing: { onRequest: (socket) => socket.destroy() },
  cutting: { onRequest: (socket) => end(socket, "close", `${head}content-length: 99\r\n\r\n{"data":`) },
  garbage: { onRequest: (socket) => end(socket, "close", "220 mail.example ESMTP\r\n") },
  redirecting: {
    onRequest: (socket) => socket.write("HTTP/1.1 302 Found\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n"),
  },
  stalling: {},
  stallingBody: { onRequest: (socket) => socket.write(`${head}content-length: 99\r\n\r\n{"data":`) },
} as const satisfies Record<string, Behavior>;

/** The URLs that the smoke file calls. */
export type Addresses = Readonly<Record<keyof typeof behaviors | "service" | "nobody", string>>;

/** Starts all servers but the service itself. */
export async function startAddresses(service: string, stack: AsyncDisposableStack): Promise<Addresses> {
  const started = Object.entries(behaviors).map(async ([name, behavior]): Promise<[string, string]> => {
    return [name, stack.use(await startHostileServer(behavior)).url];
  });
  const closed = await startHostileServer({});
  await closed[Symbol.asyncDispose]();
  const urls = Object.fromEntries(await Promise.all(started));
  // The type of the result of `fromEntries` does not name the keys.
  return { ...(urls as Record<keyof typeof behaviors, string>), service, nobody: closed.url };
}
