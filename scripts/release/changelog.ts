/** What changesets calls to write a changelog. Its own formatter repeats "Updated dependencies" with a commit for each changeset. */
const changelog: ChangelogFunctions = {
  getReleaseLine: ({ summary }) => {
    const [first, ...others] = summary.trim().split("\n");
    const lines = [`- ${first}`, ...others.map((line) => `  ${line}`)];
    return lines.map((line) => line.trimEnd()).join("\n");
  },
  getDependencyReleaseLine: (_changesets, updated) =>
    updated.map(({ name, newVersion }) => `- Uses ${name} ${newVersion}.`).join("\n"),
};

export default changelog;

interface ChangelogFunctions {
  readonly getReleaseLine: (changeset: { readonly summary: string }) => string;
  readonly getDependencyReleaseLine: (
    changesets: readonly unknown[],
    updated: readonly { readonly name: string; readonly newVersion: string }[],
  ) => string;
}
