// Builds ../html/page.html: the skeleton, style and script in one file. Its policy allows only a script and a style with their
// hashes.
//
//   node build.mjs [FILE]          checks.page writes another file, and compares the two
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "..", "html", "page.html");
const read = (name) => readFileSync(join(here, name), "utf8");

const bundle = await build({
  entryPoints: [join(here, "src/main.tsx")],
  bundle: true,
  write: false,
  minify: true,
  target: "es2022",
  format: "iife",
  charset: "ascii", // what is in the page does not depend on how it is served
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
});
const license = read("node_modules/preact/LICENSE").replaceAll("*/", "");
const script = `${bundle.outputFiles[0].text.trim()}\n/* Contains Preact:\n\n${license.trim()}\n*/\n`;
const { code } = await transform(read("src/style.css"), { loader: "css", minify: true });
const style = code.trim();

for (const [name, text] of Object.entries({ script, style })) {
  if (/<\/?(script|style)|<!--/i.test(text)) throw new Error(`the ${name} would end its element`);
  if (/\{\{(title|summary|sections|values)\}\}/.test(text))
    throw new Error(`the ${name} holds a marker of the skeleton`);
  if (text.includes(')waitstate_page"')) throw new Error(`the ${name} would end the string that it is embedded as`);
}
const hash = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
let page = read("src/skeleton.html");
for (const [marker, text] of [
  ["{{script-hash}}", hash(script)],
  ["{{style-hash}}", hash(style)],
  ["{{style}}", style],
  ["{{script}}", script],
]) {
  if (page.split(marker).length !== 2) throw new Error(`the skeleton must hold ${marker} once`);
  page = page.replace(marker, () => text);
}
writeFileSync(target, page);
