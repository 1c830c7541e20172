import { randomBytes } from "node:crypto";
import { type Attack, answers, repeats, sends } from "./attack.ts";
import { type RightAnswer, respond } from "./right-answer.ts";

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
/** An answer with a body, also to a DELETE. */
const full: RightAnswer = { status: 200, body: JSON.stringify({ data: { id: 7, domain: "example.com" } }) };

/** Connections that end, stall or never stop, and bytes that are not HTTP. */
export const brokenAnswers = {
  "resets each connection at once": {
    onConnection: (socket) => socket.resetAndDestroy(),
    // The reset may come before the system has told the client of the connection.
    outcomes: ["broken connection", "no connection"],
  },

  "never accepts a request": { onConnection: (socket) => void socket.pause(), outcomes: ["timeout"] },
  "stalls within the head": sends(() => "HTTP/1.1 200 OK\r\ncontent-ty", "timeout"),
  "stalls within the body": sends(() => respond(full).slice(0, -1), "timeout"),
  "drips a head that never ends": repeats({ start: head, piece: "x-drip: 1\r\n", everyMs: 20 }, "timeout"),
  "sends 100 Continue forever": repeats(
    { start: "", piece: "HTTP/1.1 100 Continue\r\n\r\n", everyMs: 4 },
    "timeout",
    "broken connection",
  ),
  "switches the protocol": sends(
    () => "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
    "broken connection",
  ),
  "sends a body forever": repeats(
    { start: `${head}connection: close\r\n\r\n`, piece: "x".repeat(16_384), everyMs: 4 },
    "timeout",
  ),
  "sends a head forever": repeats({ start: head, piece: `x-flood: ${"x".repeat(8_192)}\r\n` }, "broken connection"),

  "answers before it reads the request": {
    onConnection: (socket) => void socket.end(respond(full, ["connection: close"])),
    outcomes: ["result", "unexpected response", "broken connection"],
  },
  "answers each request twice": {
    ...sends(() => respond(full).repeat(2), "result", "unexpected response"),
    exceptions: { "websites.delete": ["unexpected response"] },
  },
  // What is no HTTP is the runtime's to find: fetch rejects all of it alike.
  "sends random bytes": sends(() => randomBytes(1_000), "broken connection"),
  "sends ten thousand headers": sends(() => `${head}${"x-many: 1\r\n".repeat(1e4)}\r\n`, "broken connection"),
  "sends a body that is not compressed as it says": answers(
    () => ({ ...full, headers: ["content-encoding: gzip"] }),
    "broken connection",
  ),
} as const satisfies Record<string, Attack>;
