import type { Socket } from "node:net";
import { openConnection } from "@siteward/testing/raw-connection";
import { type ReceivedAnswer, splitAnswers } from "@siteward/testing/split-answers";
import { patienceMs } from "../patience.ts";

export interface RawAnswer extends Pick<ReceivedAnswer, "status" | "headers"> {
  readonly text: string;
  /** Undefined if the body is not JSON. */
  readonly json: unknown;
}

/** One connection that stays open and sends bytes as they are, one request at a time. It reconnects if it was closed. */
export interface RawConnection extends Disposable {
  /** @throws Error if the connection ends before the entire answer has arrived, or if that takes more than a minute */
  send(bytes: string | Uint8Array): Promise<RawAnswer>;
}

/** Opens a connection to a port of this machine. It needs a fifth of the time of a node:http client. */
export function openRawConnection(port: number): RawConnection {
  let socket: Socket | undefined;
  return {
    async send(bytes) {
      if (socket === undefined || socket.destroyed || !socket.writable) socket = await open(port);
      const answer = await exchange(socket, bytes);
      if (answer.headers.get("connection") === "close") socket.destroy();
      return answer;
    },
    [Symbol.dispose]: () => void socket?.destroy(),
  };
}

async function open(port: number): Promise<Socket> {
  const socket = await openConnection(`http://127.0.0.1:${port}`);
  // The waiting request learns of a lost connection through "close".
  return socket.setNoDelay().on("error", () => {});
}

function exchange(socket: Socket, bytes: string | Uint8Array): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received = "";
    const timer = setTimeout(() => {
      finish();
      socket.destroy();
      reject(new Error(`No answer within ${patienceMs} ms.`));
    }, patienceMs);
    const finish = () => {
      clearTimeout(timer);
      socket.off("data", onData);
      socket.off("close", onClose);
    };
    const onData = (chunk: Buffer) => {
      received += chunk.toString("latin1");
      const answer = findAnswer(received);
      if (answer === undefined) return;
      finish();
      resolve(answer);
    };
    const onClose = () => {
      finish();
      reject(new Error("The connection ended before the answer had arrived."));
    };
    socket.on("data", onData);
    socket.on("close", onClose);
    socket.write(bytes);
  });
}

/** Returns undefined while part of the answer is missing. */
function findAnswer(received: string): RawAnswer | undefined {
  // 100 Continue comes before the answer.
  const found = splitAnswers(received).answers.find(({ status }) => status >= 200);
  if (found === undefined) return undefined;
  const text = Buffer.from(found.body, "latin1").toString("utf8");
  return { status: found.status, headers: found.headers, text, json: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
