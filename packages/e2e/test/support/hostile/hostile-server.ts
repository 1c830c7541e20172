import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** What a server does to its callers. */
export interface Behavior {
  readonly onConnection?: (socket: Socket) => void;
  /** Called with each complete request. */
  readonly onRequest?: (socket: Socket, request: SeenRequest) => void;
}

/** A server on a real socket, which need not speak HTTP. */
export interface HostileServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** How many connections were opened, with or without a request. */
  readonly connections: () => number;
}

/** Starts a server that reads requests and does what the behavior says. */
export async function startHostileServer({ onConnection, onRequest }: Behavior): Promise<HostileServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    // Callers reset connections when they give up.
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    onConnection?.(socket);
    readRequests(socket, (request) => {
      requests.push(request);
      onRequest?.(socket, request);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a port has an address with that port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function readRequests(socket: Socket, onRequest: (request: SeenRequest) => void): void {
  let unread = "";
  socket.on("data", (chunk) => {
    unread += chunk.toString("latin1");
    for (let end = endOf(unread); end !== undefined; end = endOf(unread)) {
      const request = parseRequest(unread.slice(0, end));
      unread = unread.slice(end);
      onRequest(request);
    }
  });
}

/** Returns the index after the first request, or undefined if it is not complete. */
function endOf(text: string): number | undefined {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const bodyLength = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0);
  const end = headEnd + "\r\n\r\n".length + bodyLength;
  return text.length < end ? undefined : end;
}

function parseRequest(text: string): SeenRequest {
  const [head = "", body = ""] = text.split(/\r\n\r\n(.*)/s);
  const [requestLine = "", ...lines] = head.split("\r\n");
  const [method = "", path = ""] = requestLine.split(" ");
  const headers = lines.map((line): [string, string] => {
    const [name = "", value = ""] = line.split(/: *(.*)/s);
    return [name.toLowerCase(), value];
  });
  return { method, path, headers: new Map(headers), body };
}
