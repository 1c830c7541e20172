import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FrontProgram, readFile, replaceEach, tlsFolder } from "./front-proxy.ts";

const certificate = join(tlsFolder, "server.crt");
const key = join(tlsFolder, "server.key");

/** The proxies whose configuration is in `deploy`. */
export const frontPrograms: readonly FrontProgram[] = [
  {
    name: "caddy",
    prepare: ({ port, target, folder }) => {
      const file = join(folder, "Caddyfile");
      const text = replaceEach(readFile("deploy/Caddyfile"), [
        ["127.0.0.1:3000", target],
        // Without the API by which a running Caddy is changed, which has a fixed port.
        ["{\n\tauto_https", "{\n\tadmin off\n\tauto_https"],
        ["siteward.example {", `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
      ]);
      writeFileSync(file, text);
      return ["caddy", "run", "--adapter", "caddyfile", "--config", file];
    },
  },
  {
    name: "nginx",
    prepare: ({ port, target, folder }) => {
      const file = join(folder, "nginx.conf");
      const servers = replaceEach(readFile("deploy/nginx.conf"), [
        ["127.0.0.1:3000", target],
        ["listen 443 ", `listen 127.0.0.1:${port} `],
        ["/etc/letsencrypt/live/siteward.example/fullchain.pem", certificate],
        ["/etc/letsencrypt/live/siteward.example/privkey.pem", key],
        ["siteward.example", "localhost"],
      ]);
      writeFileSync(file, inMainFile(servers, folder));
      return ["nginx", "-c", file, "-e", "stderr"];
    },
  },
];

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
