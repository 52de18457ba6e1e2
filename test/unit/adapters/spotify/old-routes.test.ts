import { expect, test } from "vitest";
import { type OldRoutes, withLegacyFallback } from "~/adapters/spotify/old-routes";
import { SpotifyError } from "~/adapters/spotify/spotify";
import { outcome } from "./support.ts";

/** Asks for "call", the routes answering with these statuses. */
async function ask(oldRoutes: OldRoutes, answers: { new: number; old: number }) {
  const asked: string[] = [];
  const route = (name: "new" | "old") => async () => {
    asked.push(name);
    if (answers[name] === 200) return name;
    throw new SpotifyError(answers[name], name);
  };
  const result = await outcome(withLegacyFallback(oldRoutes, "call", route("new"), route("old")));
  return { asked, result: result instanceof Error ? result.message : result };
}

const both = ["new", "old"];

test.each([
  { new: 200, old: 200, asked: ["new"], result: "new", remembered: [] },
  { new: 403, old: 200, asked: both, result: "old", remembered: ["call"] },
  { new: 404, old: 200, asked: both, result: "old", remembered: ["call"] },
  { new: 410, old: 200, asked: both, result: "old", remembered: ["call"] },
  { new: 404, old: 403, asked: both, result: "HTTP 404: new", remembered: [] },
  { new: 404, old: 503, asked: both, result: "HTTP 503: old", remembered: [] },
  { new: 400, old: 200, asked: ["new"], result: "HTTP 400: new", remembered: [] },
  { new: 429, old: 200, asked: ["new"], result: "HTTP 429: new", remembered: [] },
  { new: 500, old: 200, asked: ["new"], result: "HTTP 500: new", remembered: [] },
  { new: 0, old: 200, asked: ["new"], result: "HTTP 0: new", remembered: [] },
])("new $new, old $old: $result", async ({ asked, result, remembered, ...answers }) => {
  const oldRoutes: OldRoutes = new Set();
  expect(await ask(oldRoutes, answers)).toEqual({ asked, result });
  expect([...oldRoutes]).toEqual(remembered);
});

test.each([
  { new: 404, old: 200, asked: ["old"], result: "old", remembered: ["call"] },
  { new: 200, old: 410, asked: ["old", "new"], result: "new", remembered: [] },
  { new: 403, old: 404, asked: ["old", "new"], result: "HTTP 403: new", remembered: ["call"] },
  { new: 200, old: 500, asked: ["old"], result: "HTTP 500: old", remembered: ["call"] },
])("where the old one worked, new $new, old $old: $result", async (row) => {
  const oldRoutes: OldRoutes = new Set(["call"]);
  expect(await ask(oldRoutes, row)).toEqual({ asked: row.asked, result: row.result });
  expect([...oldRoutes]).toEqual(row.remembered);
});

test("one call's route says nothing of another's", async () => {
  expect(await ask(new Set(["another"]), { new: 200, old: 200 })).toMatchObject({ asked: ["new"] });
});
