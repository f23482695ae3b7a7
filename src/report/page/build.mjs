// Builds ../html/page.html: the skeleton, style and script in one file, with the hashes that its CSP lets run.
//
//   npm install && npm run build          node build.mjs FILE writes somewhere else (the test compares the two)
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "..", "html", "page.html");
const read = (name) => readFileSync(join(here, name), "utf8");
// Names of properties that only the page has: no report, no browser and no Preact knows them, so they may be shortened. Names that are
// looked up as texts cannot be among them.
const own = [
  "across",
  "addCalls",
  "addLocations",
  "approximate",
  "arrows",
  "axis",
  "bars",
  "box",
  "byGroups",
  "callEnd",
  "callName",
  "callPath",
  "callTree",
  "callValues",
  "caption",
  "cells",
  "cellsOf",
  "changed",
  "choose",
  "chosen",
  "clipped",
  "colour",
  "column",
  "columnTitle",
  "counts",
  "cursor",
  "cut",
  "dash",
  "diff",
  "draw",
  "exchanged",
  "exclusive",
  "facts",
  "fail",
  "five",
  "gapBegin",
  "gaps",
  "groupSize",
  "heading",
  "help",
  "isShare",
  "kept",
  "label",
  "letters",
  "limits",
  "loading",
  "locationName",
  "locationValues",
  "many",
  "makePlaces",
  "marks",
  "meta",
  "metricTitle",
  "metricTotal",
  "metricTree",
  "more",
  "mouse",
  "nodes",
  "nodesText",
  "pair",
  "pan",
  "pending",
  "pick",
  "picked",
  "place",
  "placeName",
  "placeOfLocation",
  "placeOfProcess",
  "placeTree",
  "placeValue",
  "range",
  "read",
  "readAddress",
  "reading",
  "reduced",
  "regionName",
  "report",
  "reveal",
  "roots",
  "row",
  "rowTitle",
  "said",
  "say",
  "selectCall",
  "selectedCalls",
  "selectedParts",
  "selectLocation",
  "selectMetric",
  "show",
  "shown",
  "since",
  "skip",
  "startCells",
  "sorts",
  "store",
  "summaries",
  "summed",
  "sumsOf",
  "tables",
  "take",
  "takeNodes",
  "tellPending",
  "titles",
  "together",
  "toggleHelp",
  "toSelection",
  "tree",
  "unpack",
  "valueText",
  "waitMetrics",
  "wheel",
  "withCallees",
  "worst",
  "zero",
  "zeros",
  "zoom",
];
for (const schema of ["../report.schema.json", "../diff.schema.json"])
  for (const name of own) if (read(schema).includes(`"${name}"`)) throw new Error(`${schema} has ${name}, too`);
// Functions that stand often are called by a name of one letter (src/jsx.ts).
const often = [
  "document.getElementById",
  "Object.entries",
  "Object.keys",
  ...["abs", "ceil", "floor", "log", "max", "min", "round"].map((name) => `Math.${name}`),
];

const bundle = await build({
  entryPoints: [join(here, "src/main.tsx")],
  bundle: true,
  write: false,
  minify: true,
  target: "es2022",
  format: "iife",
  mangleProps: new RegExp(`^(${own.join("|")})$`),
  charset: "ascii", // what is in the page does not depend on how it is served
  legalComments: "none",
  inject: [join(here, "src/jsx.ts")],
  define: Object.fromEntries(often.map((name) => [name, name.replace(".", "_")])),
  tsconfigRaw: { compilerOptions: { jsx: "react", jsxFactory: "h", jsxFragmentFactory: "Fragment" } },
});
const license = read("node_modules/preact/LICENSE").replaceAll("*/", "");
const script = `${bundle.outputFiles[0].text.trim()}\n/* Contains Preact:\n\n${license.trim()}\n*/\n`;
const { code } = await (await import("esbuild")).transform(read("src/style.css"), { loader: "css", minify: true });
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
