#!/usr/bin/env node
"use strict";
// CommonJS, and only syntax that Node has had since version 4, so that an old Node can say that it is too old.
const describeOldNode = require("../dist/describe-old-node.cjs");
const range = require("../package.json").engines.node;

const problem = describeOldNode("siteward-edge", range, process.versions);
if (problem === undefined) {
  require("./start.js");
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
