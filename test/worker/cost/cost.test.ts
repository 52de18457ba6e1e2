import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import * as index from "~/routes/_index/route";
import * as token from "~/routes/player.token";
import { measure } from "../../support/measure";
import { actions, startPlaying } from "./actions";
import { pages } from "./pages";
import { makeWorld } from "./world";

const musician = "thaddeus-vane";

/** Design section 7, "D1". */
const perPage = 2;
const perAction = 3;

test.each(pages)(
  "$name takes at most two round trips to the database",
  async ({ run, outcome }) => {
    const measured = await run(musician);
    expect(measured.outcome).toBe(outcome);
    expect(measured.roundTrips()).toBeLessThanOrEqual(perPage);
  },
);

test.each(actions)(
  "$name takes at most three round trips to the database",
  async ({ run, outcome }) => {
    const measured = await run(musician);
    expect(measured.outcome).toBe(outcome);
    expect(measured.roundTrips()).toBeGreaterThan(0);
    expect(measured.roundTrips()).toBeLessThanOrEqual(perAction);
  },
);

test("a carousel whose package is open takes one", async () => {
  const { session } = await makeWorld(musician, { drawn: true });
  const measured = await measure(index.loader, { path: "/", cookie: session.cookie });
  expect(measured.roundTrips()).toBe(1);
});

test("a visitor's page takes one", async () => {
  expect((await measure(index.loader, { path: "/" })).roundTrips()).toBe(1);
});

test("the hourly renewal of the token takes two more, and only if Spotify is asked", async () => {
  const world = await makeWorld(musician, { drawn: true });
  await env.DB.prepare("UPDATE sessions SET token_expires_at = ?")
    .bind(Date.now() + 60_000)
    .run();
  const { cookie } = world.session;
  expect((await measure(index.loader, { path: "/", cookie })).roundTrips()).toBe(1);
  expect((await startPlaying(world, { deviceId: "browser" })).roundTrips()).toBe(perAction);
  // Spotify is also asked when a song is played again before it was heard.
  await env.DB.prepare("DELETE FROM listens WHERE closed_at IS NULL").run();
  expect((await startPlaying(world, {})).roundTrips()).toBe(perAction + 2);
  // The token has been renewed for the next hour.
  expect((await measure(token.loader, { path: "/player/token", cookie })).roundTrips()).toBe(1);
});
