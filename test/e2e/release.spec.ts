/** "Tell me when it is out": from the rating to the one mail. */
import { expect } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { rate, songAt } from "./support/carousel.ts";
import { runJobs } from "./support/control.ts";
import { test } from "./support/fixtures.ts";
import { expectLaidOut } from "./support/laid-out.ts";
import { onDatabase } from "./support/local-database.ts";
import { forgetSpotify } from "./support/logins.ts";
import { mailsTo, mailTo } from "./support/mailbox.ts";
import { makeMusician } from "./support/musician.ts";
import { makeOwnRecordings } from "./support/own-recordings.ts";

const ask = { name: /^Tell me when it is out/ };
const takeBack = { name: /^Do not tell me when it is out/ };
const link = "https://ada.bandcamp.com/track/night-bus";

test("who rated it asks, takes that back, asks again, and gets one mail once the artist gives the link", async ({
  page,
  musician,
  loginAs,
  anotherBrowser,
  complaints,
}) => {
  complaints.expect(/status of 422/);
  const artist = await makeMusician({ own: [{ title: "Night Bus" }, { title: "Day Train" }] });
  const listener = await musician({ offered: artist.own, heard: 1 });
  await makeOwnRecordings({ offered: artist.own }, 5);
  // Longer ones are cut off on a short line.
  for (const { id } of artist.own) {
    await onDatabase("UPDATE songs SET artists = ? WHERE id = ?", ['["Ada"]', id]);
  }
  await forgetSpotify(listener);
  await page.goto("/");
  const song = await songAt(page, 0);
  await rate(page, song, "Added to my playlist!");
  await page.getByText("Change", { exact: true }).click();
  await page.getByRole("button", ask).click();
  await expect(page.getByRole("button", takeBack)).toBeVisible();
  await expectLaidOut(page);
  await expectAccessible(page);

  await page.goto("/rated");
  await page.getByRole("button", takeBack).click();
  await page.getByRole("button", ask).click();
  await expect(page.getByRole("button", takeBack)).toBeVisible();
  await expectLaidOut(page);
  await expectAccessible(page);

  const artists = await anotherBrowser();
  await loginAs(artist, artists);
  await artists.goto(`/ratings-of-my-songs/${song.songId}`);
  await expect(artists.getByText("want to know")).toHaveCount(0);
  await artists.getByLabel("Its link").fill("https://example.com/night-bus");
  await artists.getByRole("button", { name: "It is out" }).click();
  await expect(artists.getByText(/Paste the song's https link at Spotify/)).toBeVisible();
  await artists.getByLabel("Its link").fill(link);
  await artists.getByRole("button", { name: "It is out" }).click();
  await expect(artists.getByRole("link", { name: /^Listen on Bandcamp/ })).toBeVisible();
  await expectLaidOut(artists);
  await expectAccessible(artists);

  await runJobs();
  await onDatabase("UPDATE releases SET mails_at = 1 WHERE song_id = ?", [song.songId]);
  await Promise.all([runJobs(), runJobs()]);
  const address = `${listener.userId}@mail.example`;
  expect((await mailTo(address, link)).subject).toMatch(/^It is out: “/);
  await runJobs();
  expect(await mailsTo(address, link)).toHaveLength(1);

  await page.goto("/rated");
  await expect(page.getByRole("link", { name: /^Listen on Bandcamp/ })).toHaveAttribute(
    "href",
    link,
  );
  await expect(page.getByRole("button", ask)).toHaveCount(0);
  await artists.reload();
  await expect(artists.getByText(/Whoever wanted to know is told by e-mail/)).toBeVisible();
  await artists.getByRole("button", { name: "Take it back" }).click();
  await expect(artists.getByRole("link", { name: /^Listen on Bandcamp/ })).toHaveCount(0);
});
