// Bundles the editor. Its first line names the sources that it was built from, so that a test can tell without Node
// whether the committed bundle is theirs: node build.js [OUTPUT]

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const sources = ["build.js", "package-lock.json", ...readdirSync(join(here, "source")).sort().map((name) => `source/${name}`)];
const digest = createHash("sha256");
for (const name of sources) digest.update(`${name}\0`).update(readFileSync(join(here, name))).update("\0");

await build({
  entryPoints: [join(here, "source", "main.js")],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  legalComments: "none",
  banner: { js: `/* plainmark: editor/ ${digest.digest("hex")} */` },
  outfile: process.argv[2] || join(here, "..", "src", "plainmark", "web", "editor", "static", "editor.js"),
});
