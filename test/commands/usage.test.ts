/** The project's own commands refuse what they do not know. Those of tools do it by themselves. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scripts } from "../../package.json";
import { type Clone, cloneProject } from "./clone";

let clone: Clone;
beforeAll(() => {
  clone = cloneProject();
});
afterAll(() => clone.remove());

const own = Object.entries(scripts).filter(([, script]) => /^node \S+$/.test(script));

/** Every file of the clone, with the time of its last change. */
function files(): string[] {
  const all = readdirSync(clone.folder, { recursive: true, encoding: "utf8" });
  return all
    .filter((file) => !file.startsWith("node_modules"))
    .map((file) => `${file} ${statSync(join(clone.folder, file)).mtimeMs}`);
}

test.each(own)(
  "npm run %s has a usage, and does nothing at what it does not know",
  async (name) => {
    const before = files();
    const [help, option] = await Promise.all([
      clone.run(`npm run --silent ${name} -- --help`),
      clone.run(`npm run --silent ${name} -- --no-such-option`),
    ]);
    expect(help).toEqual({ output: expect.stringMatching(/^Usage: n\S+ .*\n$/), code: 0 });
    expect(option.code).toBe(1);
    expect(option.output).toContain("--no-such-option");
    expect(option.output.endsWith(help.output)).toBe(true);
    expect(files()).toEqual(before);
  },
);

test.each([
  ["rebuild-figures", "production"],
  ["deploy", "check"],
  ["order-export", "one"],
  ["order-export", "one two three"],
  ["bench", "wieght"],
  ["bench", "worker 0"],
  ["lighthouse", "faq"],
])("npm run %s refuses the words %s", async (name, words) => {
  const { output, code } = await clone.run(`npm run --silent ${name} -- ${words}`);
  expect(code).toBe(1);
  expect(output).toMatch(/\nUsage: npm run .*\n$/);
});
