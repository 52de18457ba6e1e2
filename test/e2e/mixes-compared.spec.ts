/**
 * Own recordings from one browser to the others: a song is uploaded, heard and rated by five, gets a new mix, which is
 * heard and rated by five more, and its owner reads how the two compare. And each kind of file is heard as it came.
 */
import { expect, type Page } from "@playwright/test";
import { makeM4a, makeMp3 } from "../support/recordings/sound-files.ts";
import { hear, rate, songAt } from "./support/carousel.ts";
import { fillUpload, hearDraft } from "./support/draft.ts";
import { test } from "./support/fixtures.ts";
import { onDatabase } from "./support/local-database.ts";
import { type Musician, makeMusician, offer } from "./support/musician.ts";

const phone = { width: 390, height: 844 };

/** Fills in the form that the page shows, sends it, and submits what was uploaded. */
async function submit(page: Page, title: string, file: Uint8Array): Promise<void> {
  await fillUpload(page, title, file);
  await page.getByRole("button", { name: "Listen, then submit" }).click();
  await hearDraft(page);
  await page.getByRole("button", { name: /^Submit (your song|this mix)$/ }).click();
  await expect(page.getByText(`Success! Your song: "${title}" is added!`)).toBeVisible();
}

async function songOf(ownerId: string, title: string): Promise<string> {
  const sql = "SELECT id FROM songs WHERE owner_id = ? AND title = ?";
  const [[songId = ""] = []] = (await onDatabase(sql, [ownerId, title])) as string[][];
  return songId;
}

interface Listener {
  musician: Musician;
  page: Page;
}

/** They hear the song in browsers of their own, all at once, and each gives it a label. */
async function rateAtOnce(songId: string, listeners: Listener[], labels: string[]): Promise<void> {
  await Promise.all(
    listeners.map(async ({ musician, page }, place) => {
      await offer(musician, [songId]);
      await page.goto("/");
      const song = await songAt(page);
      await hear(page, song);
      await rate(page, song, labels[place] ?? "");
    }),
  );
}

test("mixes: a song rated by five gets a new mix, rated by five more, and its owner compares the two", async ({
  page,
  musician,
  loginAs,
  anotherBrowser,
}) => {
  await page.setViewportSize(phone);
  const { userId } = await musician({ credits: 30, tier: "premium" });
  const listeners: Listener[] = [];
  for (let place = 0; place < 10; place += 1) {
    const listener = {
      musician: await makeMusician({ offered: [] }),
      page: await anotherBrowser(),
    };
    await listener.page.setViewportSize(phone);
    await loginAs(listener.musician, listener.page);
    listeners.push(listener);
  }
  await page.goto("/?menu=addownsong");
  await page.getByRole("radio", { name: "Upload your own" }).check();
  await submit(page, "Night Bus", makeMp3(6));
  const songId = await songOf(userId, "Night Bus");
  const none = ["Not for me", "Mediocore", "Mediocore", "Not for me", "Mediocore"];
  await rateAtOnce(songId, listeners.slice(0, 5), none);

  await page.goto(`/ratings-of-my-songs/${songId}`);
  await page.getByRole("link", { name: "Submit a new mix" }).click();
  await submit(page, "Night Bus (louder)", makeM4a(6));
  await page.goto(`/ratings-of-my-songs/${songId}`);
  await expect(
    page
      .getByRole("listitem")
      .filter({ hasText: /^Second mix, / })
      .getByRole("img", { name: "5 to come" }),
  ).toBeVisible();
  const all = ["Great Song", "Added to my playlist!", "Great Song", "Great Song", "Great Song"];
  await rateAtOnce(songId, listeners.slice(5), all);

  await page.reload();
  for (const mix of ["First mix", "Second mix"]) {
    await expect(page.getByText(new RegExp(`^${mix}, [^:]*$`))).toBeVisible();
  }
  await expect(page.getByText("5 of 10 liked it.").first()).toBeVisible();
  await expect(page.getByText("It is liked more than the mix before.")).toBeVisible();
  // Both are silent.
  await expect(page.getByText(/^We do not know which of the two mixes/)).toBeVisible();
});

// The index of this M4A is behind its sound.
const kinds = { MP3: makeMp3(6), M4A: makeM4a(6) };

for (const [kind, file] of Object.entries(kinds)) {
  test(`own recordings: an uploaded ${kind} is played to somebody else, who can rate it then`, async ({
    page,
    musician,
    loginAs,
    anotherBrowser,
  }) => {
    const { userId } = await musician({ credits: 6 });
    await page.goto("/?menu=addownsong");
    await submit(page, `A ${kind}`, file);
    const other = await anotherBrowser();
    const listener = await makeMusician({ offered: [] });
    await offer(listener, [await songOf(userId, `A ${kind}`)]);
    await loginAs(listener, other);
    const song = await songAt(other);
    await hear(other, song);
    await rate(other, song, "Great Song");
  });
}
