"use strict";

/**
 * Describes in one line that the running Node is lower than `engines` in package.json allows. Returns undefined if it is
 * not, and on Bun and Deno, where `versions.node` is the version of Node that they imitate. A pre-release counts as its
 * release.
 *
 * @param {string} program the name of the program
 * @param {string} range the versions that the program runs on, such as `>=22.13`
 * @param {Record<string, string | undefined>} versions `process.versions`
 * @returns {string | undefined}
 */
module.exports = function describeOldNode(program, range, versions) {
  const lowest = range.replace(">=", "");
  if (versions.bun || versions.deno || !isLower(versions.node, lowest)) return undefined;
  const problem = `${program} needs Node ${lowest} or later; this is Node ${versions.node}.`;
  return `${problem} Install a later version from https://nodejs.org/en/download.`;
};

function isLower(version, other) {
  const differences = [0, 1, 2].map((index) => readPart(version, index) - readPart(other, index));
  return differences.find((difference) => difference !== 0) < 0;
}

function readPart(version, index) {
  return Number.parseInt(version.split(".")[index] || "0", 10);
}
