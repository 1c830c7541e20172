"use strict";
const { get } = require("node:http");
const { text } = require("node:stream/consumers");

const [url = ""] = process.argv.slice(2);
get(url, async (response) => {
  process.stdout.write(`${JSON.stringify(JSON.parse(await text(response)))}\n`);
});
