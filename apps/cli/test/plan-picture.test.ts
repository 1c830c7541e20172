import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect, stripVTControlCharacters } from "node:util";
import { expect } from "vitest";
import { test } from "./support/cli-test.ts";

const file = `version: 1
lists:
  office: [203.0.113.0/24, 2001:db8::/32]
defaults: { privacy: private, exclude_ips: ["@office"] }
websites:
  - example.com
  - { domain: shop.example.com, email: true }
  - { domain: intern.example.com, privacy: password, password_env: INTERN_PASSWORD }
`;

/** The colors of a terminal, as the picture has them. */
const hues = { green: "#3fb950", yellow: "#d29922", red: "#f85149" };
const lineHeight = 20;

// After a change of the plan's text: `pnpm test plan-picture -u`.
test("docs/pictures/plan.svg is what a terminal shows", async ({ cli, folder }) => {
  await cli.add("example.com", "shop.example.com", "old.example.com");
  await cli.other.websites.update(2, { privacy: 1, exclude_ips: ["203.0.113.0/24", "198.51.100.7"] });
  const path = join(folder.path, "siteward.yaml");
  await writeFile(path, file);
  const { raw } = await cli.show(["plan", path, "--prune"], { columns: 72 });
  const lines = ["$ siteward plan --prune", ...raw.trimEnd().split("\r\n")];
  await expect(draw(lines)).toMatchFileSnapshot("../../../docs/pictures/plan.svg");
});

/** Draws the lines of a terminal, each in the color in which it begins. */
function draw(lines: readonly string[]): string {
  const height = (lines.length + 1) * lineHeight;
  const texts = lines.map((line, index) => {
    const [, hue = "#e6edf3"] =
      Object.entries(hues).find(([name]) => line.startsWith(`\u001B[${inspect.colors[name]?.[0]}m`)) ?? [];
    const text = stripVTControlCharacters(line).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    return `  <text x="16" y="${(index + 1.2) * lineHeight}" fill="${hue}" xml:space="preserve">${text}</text>\n`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="${height}" font-family="monospace" font-size="14">
  <title>A plan of siteward in a terminal</title>
  <rect width="640" height="${height}" rx="8" fill="#0d1117"/>
${texts.join("")}</svg>
`;
}
