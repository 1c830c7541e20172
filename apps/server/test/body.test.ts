import { once } from "node:events";
import { openConnection, readAnswer } from "@siteward/testing/raw-connection";
import { expect, test, vi } from "vitest";
import { describeOnEveryEngineAtOnce } from "./support/engines.ts";
import { startTestServer, type TestServer } from "./support/test-server.ts";

describeOnEveryEngineAtOnce("a request whose length is over the limit", (engine) => {
  test("is refused and logged before any of its body is sent", async () => {
    await using server = await startTestServer(engine);
    const socket = await openConnection(server.url);
    const answer = readAnswer(socket);
    socket.write(headOf(server));
    expect((await answer).refusal).toEqual([413, "body_too_large"]);
    expect(server.log.entries).toEqual([expect.objectContaining({ status: 413 })]);
  });

  test("is logged at once if the client closes its side after the answer", async () => {
    await using server = await startTestServer(engine);
    const socket = await openConnection(server.url);
    socket.write(headOf(server));
    await once(socket, "data");
    socket.destroy();
    await vi.waitFor(() => expect(server.log.entries).toHaveLength(1), { timeout: 1_500 });
  });
});

function headOf({ key }: TestServer): string {
  const headers = [`Authorization: Bearer ${key}`, "Content-Type: application/x-www-form-urlencoded"];
  return ["POST /api/v1/websites HTTP/1.1", "Host: a", ...headers, `Content-Length: ${64 * 1024 + 1}`, "", ""].join(
    "\r\n",
  );
}
