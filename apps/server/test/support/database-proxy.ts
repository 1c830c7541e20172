import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { listenInFrontOf } from "./listen-in-front-of.ts";

/** A proxy between a program and its database. */
export interface DatabaseProxy extends AsyncDisposable {
  /** The URL of the database through the proxy. */
  readonly url: string;
}

/** The two ends of a connection. */
export interface Ends {
  readonly program: Socket;
  readonly database: Socket;
}

/** What the proxy does with a connection. */
export interface Passage {
  /** Called with what the program sends, to pass it on or not. */
  readonly onSent: (sent: Buffer) => void;
  /** Called before an answer is passed on. */
  readonly onAnswer?: () => void;
}

/** @param open called for each connection */
export async function startDatabaseProxy(databaseUrl: string, open: (ends: Ends) => Passage): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((program) => {
    const database = connect(Number(port), hostname);
    const { onSent, onAnswer } = open({ program, database });
    program.on("data", onSent);
    database.on("data", (answer) => {
      onAnswer?.();
      program.write(answer);
    });
    for (const [socket, other] of [
      [program, database],
      [database, program],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => other.destroy());
    }
  });
  return {
    url: await listenInFrontOf(databaseUrl, server),
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
