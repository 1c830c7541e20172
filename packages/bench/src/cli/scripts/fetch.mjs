const [url = ""] = process.argv.slice(2);
const response = await fetch(url);
process.stdout.write(`${JSON.stringify(await response.json())}\n`);
