import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { listenInFrontOf } from "./listen-in-front-of.ts";

/** A proxy between a program and its database that fails as a network does. */
export interface FaultyNetwork extends AsyncDisposable {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /**
   * Cuts the connection at the next message of a program that contains `text`: `before` it reaches the database, or `after`,
   * so that the database runs it and the answer is lost. Later connections are not cut.
   */
  cutNext(text: string, when: "before" | "after"): void;
  /** Silently stops all traffic, or continues where it stopped. */
  freeze(isFrozen: boolean): void;
  /** Silently stops all traffic at the next message of a program that contains `text`, which still reaches the database. */
  freezeAt(text: string): void;
}

export async function startFaultyNetwork(databaseUrl: string): Promise<FaultyNetwork> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let cut: { readonly text: string; readonly when: "before" | "after" } | undefined;
  let isFrozen = false;
  let freezingText: string | undefined;
  const freeze = (frozen: boolean) => {
    isFrozen = frozen;
    for (const socket of sockets)
      if (frozen) socket.pause();
      else socket.resume();
  };
  const server = createServer((program) => {
    const database = connect(Number(port), hostname);
    let isAnswerLost = false;
    const end = () => {
      program.destroy();
      database.destroy();
    };
    program.on("data", (sent) => {
      if (freezingText !== undefined && sent.includes(freezingText)) {
        freezingText = undefined;
        freeze(true);
      }
      const when = cut !== undefined && sent.includes(cut.text) ? cut.when : undefined;
      if (when === "before") end();
      else database.write(sent);
      if (when === undefined) return;
      isAnswerLost = true;
      cut = undefined;
    });
    database.on("data", (answer) => {
      if (isAnswerLost) end();
      else program.write(answer);
    });
    for (const socket of [program, database]) {
      sockets.add(socket);
      if (isFrozen) socket.pause();
      socket.on("error", end).on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
  });
  const url = await listenInFrontOf(databaseUrl, server);
  return {
    url,
    cutNext: (text, when) => {
      cut = { text, when };
    },
    freeze,
    freezeAt: (text) => {
      freezingText = text;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
