import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startProcess } from "@siteward/testing/start-process";
import { repositoryRoot } from "../documented-pages.ts";

/** The certificate of `localhost`, and the authority that clients trust. */
export const tlsFolder = join(repositoryRoot, "apps/server/test/tls");
const certificate = join(tlsFolder, "server.crt");
const key = join(tlsFolder, "server.key");

/** What a test puts in place of the addresses in a configuration. */
interface FrontAddresses {
  /** Where the proxy listens. */
  readonly port: number;
  /** The address and port of the server. */
  readonly target: string;
}

/** How the configuration of each proxy follows from the one in `deploy`, in a folder. Returns the file and the command line. */
const programs = {
  caddy: ({ port, target }: FrontAddresses, folder: string) => {
    const file = join(folder, "Caddyfile");
    const text = replaceEach(readFile("deploy/Caddyfile"), [
      ["127.0.0.1:3000", target],
      // Without the API by which a running Caddy is changed, which has a fixed port.
      ["{\n\tauto_https", "{\n\tadmin off\n\tauto_https"],
      ["siteward.example {", `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
    ]);
    return { file, text, command: ["caddy", "run", "--adapter", "caddyfile", "--config", file] };
  },
  nginx: ({ port, target }: FrontAddresses, folder: string) => {
    const file = join(folder, "nginx.conf");
    const servers = replaceEach(readFile("deploy/nginx.conf"), [
      ["127.0.0.1:3000", target],
      ["listen 443 ", `listen 127.0.0.1:${port} `],
      ["/etc/letsencrypt/live/siteward.example/fullchain.pem", certificate],
      ["/etc/letsencrypt/live/siteward.example/privkey.pem", key],
      ["siteward.example", "localhost"],
    ]);
    return { file, text: inMainFile(servers, folder), command: ["nginx", "-c", file, "-e", "stderr"] };
  },
} as const;

export type FrontProgram = keyof typeof programs;

/** A proxy with TLS. */
export interface FrontProxy extends AsyncDisposable {
  readonly port: number;
}

/** Starts a proxy, and waits until it listens. */
export async function startFrontProxy(program: FrontProgram, addresses: FrontAddresses): Promise<FrontProxy> {
  const folder = mkdtempSync(join(tmpdir(), "siteward-front-"));
  const { file, text, command } = programs[program](addresses, folder);
  writeFileSync(file, text);
  const { port } = addresses;
  const path = [process.env["PATH"], "/usr/sbin"].join(delimiter);
  const env = { PATH: path, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const running = startProcess(command, { cwd: folder, env, stdin: "" });
  while (!(await accepts(port))) {
    if (running.child.exitCode !== null) throw new Error(`${program} did not start:\n${running.written.stderr}`);
    await sleep(20);
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ port, host: "127.0.0.1" });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export function readFile(path: string): string {
  return readFileSync(join(repositoryRoot, path), "utf8");
}

/** Replaces each text, which must be there: a configuration that has changed must not run with the addresses of a real server. */
function replaceEach(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((current, [from, to]) => {
    if (!current.includes(from)) throw new Error(`The configuration does not contain ${from}.`);
    return current.replaceAll(from, to);
  }, text);
}

/** What the system's nginx.conf has around the servers. A test may not write to the system's folders. */
function inMainFile(servers: string, folder: string): string {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
    daemon off;
    ${process.getuid?.() === 0 ? "user root;" : ""}
    worker_processes 2;
    error_log stderr;
    pid ${folder}/nginx.pid;
    events {}
    http {
      access_log off;
      ${kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join("\n      ")}
      ${servers}
    }
  `;
}
