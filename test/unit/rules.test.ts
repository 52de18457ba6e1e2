import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tierConfigs } from "~/members/tiers";
import { migratedDatabase } from "./migrated-database";

const page = readFileSync("app/RULES.md", "utf8");
const numbers = [...page.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
/** The first words of each rule, as citations quote them. */
const names = new Map(
  [...page.matchAll(/^(\d+)\. \*\*(.+?)\.\*\*/gm)].map(([, number, name = ""]) => [
    Number(number),
    name.toLowerCase(),
  ]),
);

test("the rules are numbered without a gap", () => {
  expect(numbers.length).toBeGreaterThan(30);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});

test("the tiers' numbers in rule 2, tiers, and in the READMEs are those of the product", () => {
  const { free, premium } = tierConfigs;
  const [, rule = ""] = page.split("**Tiers.**");
  const cells = [...rule.matchAll(/^ {3}\| \w.*?\| (.*?) ?\| (.*) \|$/gm)];
  expect(cells.map(([, first, second]) => [first, second])).toEqual([
    [`${free.requiredSeconds}`, `${premium.requiredSeconds}`],
    [`${free.ratingsToSubmit}`, `${premium.ratingsToSubmit}`],
    [`the newest ${free.maxVisibleRatings}`, "all"],
    [`${free.packageSize}`, `${premium.packageSize}`],
    ["", `${premium.monthlyPrice}`],
  ]);
  const words = new Map([
    [4, "four"],
    [6, "six"],
  ]);
  const readme = readFileSync("README.md", "utf8");
  const [before, less] = [free, premium].map(({ ratingsToSubmit }) => words.get(ratingsToSubmit));
  expect(readme).toContain(`After ${before} ratings (${less} with premium)`);
  for (const file of ["README.md", ".ops/README.md"]) {
    expect(readFileSync(file, "utf8")).toContain(`USD ${premium.monthlyPrice}`);
  }
});

test("comments and pages cite rules that exist by their first words, and no paper that is not here", () => {
  const sources = globSync("{app,test,.ops}/**/*.{ts,tsx,css,md}").map((file) => [
    file,
    readFileSync(file, "utf8"),
  ]);
  const stale = sources.flatMap(([file = "", text = ""]) => [
    ...[...text.matchAll(/\brules? (\d{1,2})\b/gi)]
      .filter(([, number]) => !numbers.includes(Number(number)))
      .map(([citation]) => `${file}: ${citation}`),
    ...[...text.matchAll(/\brule (\d{1,2})\b(?!,? (?:and|to|or) \d)(, [^).,;:]*)?/gi)]
      .filter(([, number, name = ""]) => {
        const quoted = `, ${names.get(Number(number))}`;
        return names.has(Number(number)) && !`${name} `.toLowerCase().startsWith(quoted);
      })
      .map(([citation]) => `${file}: ${citation}`),
    ...[...text.matchAll(/\b(spec|design|platform|facts,)[\s*]+sections?\b/gi)].map(
      ([citation]) => `${file}: ${citation}`,
    ),
  ]);
  expect(stale).toEqual([]);
});

test("the triggers listed are those that hold, and those of app/db/triggers.sql", () => {
  const held = migratedDatabase()
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all();
  const [, table = ""] = page.split("## What the database itself refuses");
  const listed = [...table.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(listed.sort()).toEqual(held.map(({ name }) => name).sort());

  const written = readFileSync("app/db/triggers.sql", "utf8").matchAll(
    /^CREATE TRIGGER[\s\S]*?^END/gm,
  );
  expect([...written].map(([sql]) => sql).sort()).toEqual(held.map(({ sql }) => sql).sort());
});
