// Builds the pages: ../html/page.html, which shows the report in the file, and ../../serve/page.html, which asks the
// server of `waitstate serve`. Each is the skeleton, style and script in one file. Its policy allows only a script and a
// style with their hashes.
//
//   node build.mjs [FOLDER]          checks.page writes report.html and serve.html to another folder, and compares them
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2];
const read = (name) => readFileSync(join(here, name), "utf8");
const license = read("node_modules/preact/LICENSE").replaceAll("*/", "");
const hash = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

async function scriptOf(entry) {
  const bundle = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    write: false,
    minify: true,
    target: "es2022",
    format: "iife",
    charset: "ascii", // what is in the page does not depend on how it is served
    legalComments: "none",
    // Elements as calls of h(), which are shorter than those of tsconfig.json: the types need no import in each module.
    jsx: "transform",
    jsxFactory: "h",
    jsxFragment: "Fragment",
    inject: [join(here, "src/jsx.ts")],
    tsconfigRaw: {},
  });
  return `${bundle.outputFiles[0].text.trim()}\n/* Contains Preact:\n\n${license.trim()}\n*/\n`;
}

async function styleOf(files) {
  const { code } = await transform(files.map((file) => read(`src/${file}`)).join(""), { loader: "css", minify: true });
  return code.trim();
}

/** `more`: texts for other markers of the skeleton. */
function pageOf(script, style, more) {
  for (const [name, text] of Object.entries({ script, style })) {
    if (/<\/?(script|style)|<!--/i.test(text)) throw new Error(`the ${name} would end its element`);
    if (/\{\{(title|summary|sections|values)\}\}/.test(text))
      throw new Error(`the ${name} holds a marker of the skeleton`);
    if (text.includes(')waitstate_page"')) throw new Error(`the ${name} would end the string that it is embedded as`);
  }
  let page = read("src/skeleton.html");
  for (const [marker, text] of [
    ["{{script-hash}}", hash(script)],
    ["{{style-hash}}", hash(style)],
    ["{{style}}", style],
    ["{{script}}", script],
    ...more,
  ]) {
    if (page.split(marker).length !== 2) throw new Error(`the skeleton must hold ${marker} once`);
    page = page.replace(marker, () => text);
  }
  return page;
}

const report = pageOf(await scriptOf("main.tsx"), await styleOf(["style.css"]), [["{{connect}}", ""]]);
const serve = pageOf(await scriptOf("serve.tsx"), await styleOf(["style.css", "serve.css"]), [
  ["{{connect}}", "connect-src 'self'; "],
  ["{{title}}", "waitstate"],
  ["{{summary}}", ""],
  ["{{sections}}", ""],
  ["{{values}}", ""],
]);
writeFileSync(folder ? join(folder, "report.html") : join(here, "../html/page.html"), report);
writeFileSync(folder ? join(folder, "serve.html") : join(here, "../../serve/page.html"), serve);
