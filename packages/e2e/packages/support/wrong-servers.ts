import { createServer } from "node:net";
import { listen } from "@siteward/testing/listen";

const json = "content-type: application/json\r\n";
const busy = (more: string) => `HTTP/1.1 503 Unavailable\r\n${json}${more}content-length: 2\r\n\r\n{}`;
const account = '{"data":{"id":7}}';
const half = `HTTP/1.1 200 OK\r\n${json}content-length: 99\r\n\r\n{"data":`;

/** What each server sends once it has read something. Those that are not in `open` then close the connection. */
const answers = {
  busy: () => busy("retry-after: 50\r\n"),
  busyOnce: (request: string) =>
    /^x-siteward-retry-count:/im.test(request)
      ? `HTTP/1.1 200 OK\r\n${json}content-length: ${account.length}\r\n\r\n${account}`
      : busy(""),
  closing: () => "",
  cutting: () => half,
  garbage: () => "220 mail.example ESMTP\r\n",
  redirecting: () => "HTTP/1.1 302 Found\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n",
  stalling: () => "",
  stallingBody: () => half,
} as const satisfies Record<string, (request: string) => string>;

type Name = keyof typeof answers;
const open: readonly Name[] = ["busy", "busyOnce", "redirecting", "stalling", "stallingBody"];

/** The URLs that `use-sdk.ts` calls. Nothing listens at `nobody`. */
export type Addresses = Readonly<Record<Name | "service" | "nobody", string>>;

/** Starts servers that go wrong in one way each. */
export async function startWrongServers(service: string, stack: AsyncDisposableStack): Promise<Addresses> {
  // The keys of an object without further ones.
  const names = Object.keys(answers) as Name[];
  const urls = await Promise.all(names.map(async (name) => [name, stack.use(await start(name)).url]));
  await using closed = await start("closing");
  const nobody = closed.url;
  // The type of the result of `fromEntries` does not name the keys.
  return { ...(Object.fromEntries(urls) as Record<Name, string>), service, nobody };
}

function start(name: Name) {
  const server = createServer((socket) => {
    socket.on("data", (request) => {
      const answer = answers[name](request.toString("latin1"));
      if (open.includes(name)) socket.write(answer);
      else socket.end(answer);
    });
  });
  return listen(server);
}
