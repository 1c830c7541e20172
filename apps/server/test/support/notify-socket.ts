import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";

/** The socket of a service manager, such as systemd has one for each service. */
export interface NotifySocket extends AsyncDisposable {
  readonly path: string;
  /** What was received, one entry for each notification. */
  readonly received: () => readonly string[];
  /** Waits until a notification comes after the first ones. */
  until(notification: string, after?: number): Promise<void>;
}

/** Node cannot open a Unix datagram socket. Every Debian has Perl. */
const receiver = `
  use IO::Socket::UNIX;
  $| = 1;
  my $socket = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $ARGV[0]) or die $!;
  print "listening\\n";
  while (defined $socket->recv(my $message, 4096)) {
    $message =~ s/\\n/ /g;
    print "$message\\n";
  }
`;

export async function openNotifySocket(): Promise<NotifySocket> {
  const folder = await mkdtempDisposable(join(tmpdir(), "siteward-notify-"));
  const path = join(folder.path, "socket");
  const child = spawn("perl", ["-e", receiver, path], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  const lines = () => text.split("\n").slice(0, -1);
  const patience = { timeout: 45_000, interval: 20 };
  await vi.waitUntil(() => lines().length > 0, patience);
  // systemd-notify ends with a message of its own, by which it waits until systemd has read the one before.
  const received = () => lines().filter((line) => line !== "listening" && line !== "BARRIER=1");
  return {
    path,
    received,
    until: async (notification, after = 0) =>
      void (await vi.waitUntil(() => received().slice(after).includes(notification), patience)),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      await folder.remove();
    },
  };
}
