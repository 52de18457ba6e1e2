import { type CDPSession, expect, type Page } from "@playwright/test";
import { joined, makeM4a, makeMp3, makeWav, u32 } from "../support/recordings/sound-files.ts";
import { openAccount } from "./support/account.ts";
import { fillUpload } from "./support/draft.ts";
import { test } from "./support/fixtures.ts";
import { onDatabase } from "./support/local-database.ts";
import { forgetSpotify } from "./support/logins.ts";
import type { Musician, MusicianOptions } from "./support/musician.ts";

async function scriptRuns(page: Page): Promise<void> {
  await expect(page.getByText("Choose a file")).toBeVisible();
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("form.prose") ?? {}).some((key) =>
      key.startsWith("__react"),
    ),
  );
}

/** Shows the form to somebody who may upload, once its script runs. */
async function openForm(
  page: Page,
  musician: (options: MusicianOptions) => Promise<Musician>,
): Promise<Musician> {
  const member = await musician({ credits: 6 });
  await page.goto("/?menu=addownsong");
  await scriptRuns(page);
  return member;
}

function choose(page: Page, name: string, file: Uint8Array): Promise<void> {
  const chosen = { name, mimeType: "text/plain", buffer: Buffer.from(file) };
  return page.getByLabel("File").setInputFiles(chosen);
}

/** Fills the form in, and sends it. */
async function upload(
  page: Page,
  name: string,
  file: Uint8Array,
  { scripted = false } = {},
): Promise<void> {
  await page.goto("/?menu=addownsong");
  if (scripted) await scriptRuns(page);
  await fillUpload(page, name, file);
  await page.getByRole("button", { name: "Listen, then submit" }).click();
}

test("a link that says upload leads to the upload, where a phone shows one way at a time", async ({
  page,
  musician,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await musician({ credits: 6 });
  await page.goto("/?menu=addownsong");
  await expect(page.getByRole("searchbox")).toBeVisible();
  await expect(page.getByText("Choose a file")).toBeHidden();
  await page.goto("/");
  await page.getByRole("link", { name: "Upload Your Song" }).click();
  await expect(page.getByText("Choose a file")).toBeVisible();
});

/** Gives the draft that the page shows another title. */
async function rename(page: Page, title: string): Promise<void> {
  await page.getByText("Change the title or the artist").click();
  await page.getByLabel("Title").fill(title);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: `Submit “${title}”?` })).toBeVisible();
}

function secondsHeard(page: Page): Promise<number> {
  return page.locator("audio").evaluate(async (audio: HTMLAudioElement) => {
    audio.muted = true;
    await audio.play();
    await new Promise((resolve) => audio.addEventListener("timeupdate", resolve, { once: true }));
    return audio.duration;
  });
}

test("a recording of each kind is uploaded, heard and submitted, and its loudness measured", async ({
  page,
  musician,
}) => {
  const { userId } = await musician({ credits: 30 });
  const files = { wav: makeWav(6), mp3: makeMp3(6), m4a: makeM4a(6) };
  for (const [name, file] of Object.entries(files)) {
    await upload(page, name, file, { scripted: true });
    await expect(page.getByRole("heading", { name: `Submit “${name}”?` })).toBeVisible();
    expect(await secondsHeard(page)).toBeCloseTo(6, 0);
    await page.getByRole("button", { name: "Submit your song" }).click();
    await expect(page.getByText(/is added!/)).toBeVisible();
  }
  // The other two are silent.
  const sql = "SELECT type FROM recordings WHERE owner_id = ? AND loudness BETWEEN -300 AND 0";
  expect(await onDatabase(sql, [userId])).toEqual([["wav"]]);
});

/** Some megabytes, of which the first arrive at once on a line that is made slow. */
const big = makeWav(20, { wavRate: 44_100, channels: 2 });

function uploadsOf(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === "POST" && pathname === "/recordings") sent.push(pathname);
  });
  return sent;
}

const lines = new WeakMap<Page, Promise<CDPSession>>();

/** How many bytes a second leave; none of them while the line is cut. Each session would add limits of its own. */
async function slowDown(page: Page, { rate, isCut = false }: { rate: number; isCut?: boolean }) {
  const opened = lines.get(page) ?? page.context().newCDPSession(page);
  lines.set(page, opened);
  const client = await opened;
  const line = { latency: 0, downloadThroughput: -1, uploadThroughput: rate, offline: isCut };
  await client.send("Network.emulateNetworkConditions", line);
}

async function isUnderWay(page: Page): Promise<void> {
  await expect(page.getByRole("progressbar", { name: "Uploaded" })).toBeVisible();
  await expect(page.getByText(/^(?!0\.0)[\d.]+ of 3\.5 MB$/)).toBeVisible();
}

test("what is wrong with a file is said before it travels, and with what is said of it before it is sent", async ({
  page,
  musician,
}) => {
  await musician({ credits: 6 });
  const sent = uploadsOf(page);
  const error = page.getByRole("alert");
  await page.goto("/?menu=addownsong");
  await expect(page.getByLabel("Title")).toBeHidden();
  await scriptRuns(page);
  await choose(page, "long", makeWav(660));
  await expect(error).toHaveText(/lasts 11 minutes.*Cut it/);
  await expect(page.getByLabel("Title")).toBeHidden();
  await choose(page, "big", makeWav(280, { wavRate: 44_100, channels: 2 }));
  await expect(error).toHaveText(/40 MB at most/);
  await expect(page.getByLabel("Choose a file")).toBeFocused();
  expect(sent).toEqual([]);
  await fillUpload(page, "Light", makeMp3(6));
  await page.getByLabel("Title").fill("\u200b");
  await page.getByRole("button", { name: "Listen, then submit" }).click();
  await expect(error).toHaveText(/Give your song a title/);
  await expect(page.getByLabel("Title")).toBeFocused();
  // Already when it is chosen.
  const picture = { name: "a.gif", mimeType: "image/png", buffer: Buffer.from("GIF89a") };
  await page.getByLabel("Cover").setInputFiles(picture);
  await expect(error).toHaveText(/no picture/);
  expect(sent).toEqual(["/recordings"]);
});

/** Says of an upload that a machine has made it, which is refused, and then that people have in part. */
async function sayHowMade(
  page: Page,
  refused: () => Promise<void>,
  { scripted = false } = {},
): Promise<void> {
  await fillUpload(page, "Odd light", makeMp3(6));
  if (scripted) await expect(page.getByText("It is here.", { exact: true })).toBeVisible();
  await page.getByLabel("Generated by a machine").check();
  await page.getByRole("button", { name: "Listen, then submit" }).click();
  await refused();
  await page.getByLabel("Partly generated").check();
  await page.getByRole("button", { name: "Listen, then submit" }).click();
  await expect(page.getByRole("heading", { name: "Submit “Odd light”?" })).toBeVisible();
  await expect(page.getByText("Partly generated")).toBeVisible();
}

const onlyByPeople = /only songs that people have made/;

test("what a machine has made is refused and goes, and what people have in part is labelled", async ({
  page,
  musician,
}) => {
  const { userId } = await openForm(page, musician);
  const kept = "SELECT id FROM recordings WHERE owner_id = ? AND file_ended_at IS NULL";
  const refused = async () => {
    await expect(page.getByRole("alert")).toHaveText(onlyByPeople);
    await expect(page.getByLabel("Made by people")).toBeFocused();
    await expect.poll(() => onDatabase(kept, [userId])).toEqual([]);
    await fillUpload(page, "Odd light", makeMp3(6));
  };
  await sayHowMade(page, refused, { scripted: true });
});

test("an upload on a slow line says how far it is, is sent once, and asks before one leaves", async ({
  page,
  musician,
}) => {
  await musician({ credits: 6 });
  const sent = uploadsOf(page);
  await page.goto("/?menu=addownsong");
  await scriptRuns(page);
  await slowDown(page, { rate: 150_000 });
  await fillUpload(page, "Slow light", big);
  await isUnderWay(page);
  const button = page.getByRole("button", { name: "Listen, then submit" });
  await expect(button).toHaveAttribute("aria-disabled", "true");
  await button.click({ force: true });
  await expect(page.getByText("As soon as it is here.")).toBeVisible();
  await button.click({ force: true });
  const asked: string[] = [];
  page.on("dialog", async (dialog) => {
    asked.push(dialog.type());
    await dialog.dismiss();
  });
  await page.getByRole("link", { name: "FAQ" }).first().click();
  await page.evaluate(() => history.back());
  await expect.poll(() => asked).toEqual(["confirm", "beforeunload"]);
  await isUnderWay(page);
  await slowDown(page, { rate: -1 });
  await expect(page.getByRole("heading", { name: "Submit “Slow light”?" })).toBeVisible();
  expect(sent).toEqual(["/recordings"]);
});

test("a network that is away stops whoever leaves the form, too", async ({ page, musician }) => {
  await musician({ credits: 6 });
  await page.goto("/?menu=addownsong");
  await scriptRuns(page);
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "Songs I rated" }).first().click();
  await expect(page.getByText("You are offline right now.")).toBeVisible();
  expect(new URL(page.url()).searchParams.get("menu")).toBe("addownsong");
  await page.context().setOffline(false);
  await page.getByRole("link", { name: "Songs I rated" }).first().click();
  await expect(page.getByRole("heading", { name: "Songs I rated" })).toBeVisible();
});

test("an upload is stopped, and one whose line is gone goes on by itself", async ({
  page,
  musician,
}) => {
  await openForm(page, musician);
  await slowDown(page, { rate: 150_000 });
  await choose(page, "Stopped light", big);
  await isUnderWay(page);
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("Stopped. Nothing was kept.")).toBeVisible();
  await expect(page.getByLabel("Choose a file")).toBeFocused();
  await expect(page.getByLabel("Title")).toBeHidden();
  await fillUpload(page, "Broken light", big);
  await isUnderWay(page);
  await slowDown(page, { rate: -1, isCut: true });
  await expect(page.getByText("The line is gone. It goes on by itself.")).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Uploaded" })).toBeVisible();
  await slowDown(page, { rate: -1 });
  await expect(page.getByText("It is here.", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Listen, then submit" }).click();
  await expect(page.getByRole("heading", { name: "Submit “Broken light”?" })).toBeVisible();
  await openAccount(page, "Your recordings");
  const list = page.locator("#recordings");
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await list.getByText("Delete this upload").click();
  await list.getByRole("button", { name: "Yes, delete it" }).click();
  await expect(list).toBeHidden();
});

test("a line that stays gone is given up, and tried again by who presses", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/Failed to load/);
  await page.clock.install();
  await openForm(page, musician);
  const sent = uploadsOf(page);
  await page.route("**/recordings", (route) => route.abort("connectionreset"));
  await fillUpload(page, "Lost light", makeMp3(6));
  const again = page.getByRole("button", { name: "Try again" });
  await expect(async () => {
    await page.clock.runFor(8000);
    await expect(again).toBeVisible({ timeout: 500 });
  }).toPass();
  expect(sent).toHaveLength(5);
  await expect(page.getByRole("alert")).toHaveText(/broke off/);
  await page.unroute("**/recordings");
  await again.click();
  await page.getByRole("button", { name: "Listen, then submit" }).click();
  await expect(page.getByRole("heading", { name: "Submit “Lost light”?" })).toBeVisible();
});

/** A user has uploaded twenty files today. */
async function useUpTheDay(userId: string): Promise<void> {
  await onDatabase(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20)
     INSERT INTO recordings (id, owner_id, state, title, artist, created_at, file_ended_at)
     SELECT ?1 || '-' || n, ?1, 'arriving', '', '', ?2, ?2 + 60000 FROM numbers`,
    [userId, String(Date.now() - 120_000)],
  );
}

/** Twelve megabytes. */
const large = makeWav(70, { wavRate: 44_100, channels: 2 });

test("what the server refuses before all of a large file has come is said where one is, and what was chosen stays", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/409/);
  const { userId } = await openForm(page, musician);
  await useUpTheDay(userId);
  await fillUpload(page, "Large light", large);
  await expect(page.getByRole("alert")).toHaveText(/20 files within a day/);
  await expect(page.getByLabel("Title")).toHaveValue("Large light");
  await expect(page.getByRole("button", { name: "Listen, then submit" })).toBeVisible();
});

test("somebody without Spotify uploads too, in the document of the carousel, on a phone", async ({
  page,
  musician,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const member = await musician({ credits: 6 });
  await page.goto("/faq");
  await forgetSpotify(member);
  await page.goto("/");
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("link", { name: "Submit a song" }).click();
  await fillUpload(page, "Early light", makeMp3(6));
  await page.getByRole("button", { name: "Listen, then submit" }).click();
  await expect(page.getByRole("heading", { name: "Submit “Early light”?" })).toBeVisible();
  await rename(page, "Earliest light");
  await expect(page.getByText("Change the title or the artist")).toBeFocused();
  await expect(page.getByLabel("Title")).toBeHidden();
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
});

const head = joined(u32(13), "IHDR", u32(640, 640), new Uint8Array(9));
const png = joined("\x89PNG\r\n\x1a\n", head, u32(0), "IEND", u32(0));

/** Drops files on an element of the page, as from the desktop. */
async function drop(
  page: Page,
  on: string,
  files: { name: string; type: string; bytes: number[] }[],
) {
  return page.locator(on).evaluate((element, given) => {
    const dataTransfer = new DataTransfer();
    for (const { name, type, bytes } of given) {
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
    }
    const init = { bubbles: true, cancelable: true, dataTransfer };
    return ["dragover", "drop"].map((name) => !element.dispatchEvent(new DragEvent(name, init)));
  }, files);
}

test("a file that is dropped anywhere is taken, and a picture is the cover", async ({
  page,
  musician,
}) => {
  const { userId } = await openForm(page, musician);
  const song = { name: "Dropped light.mp3", type: "", bytes: [...makeMp3(6)] };
  const other = { ...song, name: "Second.mp3" };
  const picture = { name: "front.png", type: "image/png", bytes: [1, 2, 3] };
  expect(await drop(page, "footer", [picture, song, other])).toEqual([true, true]);
  await expect(page.getByLabel("Title")).toHaveValue("Dropped light");
  await expect(page.getByRole("alert")).toHaveText(/no picture/);
  const chosen = (label: string) =>
    page.getByLabel(label).evaluate((field) => (field as HTMLInputElement).files?.[0]?.name);
  expect([await chosen("File"), await chosen("Cover")]).toEqual(["Dropped light.mp3", "front.png"]);
  const front = { ...picture, bytes: [...png] };
  await drop(page, "footer", [front, song, other]);
  await expect(page.getByText("One song goes at a time.")).toBeVisible();
  await expect(page.getByText("It is here.", { exact: true })).toBeVisible();
  const covered = "SELECT cover_type FROM recordings WHERE owner_id = ? AND state = 'draft'";
  expect(await onDatabase(covered, [userId])).toEqual([["png"]]);
  const heic = [0, 0, 0, 24, ...Buffer.from("ftypheic"), 0, 0, 0, 0];
  await drop(page, "h1", [{ name: "IMG_1.HEIC", type: "image/heic", bytes: heic }]);
  await expect(page.getByRole("alert")).toHaveText(/HEIC.*Most Compatible/);
  // Text that is dragged within the page is left to the browser.
  const text = await page.locator("h1").evaluate((element) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData("text/plain", "Light");
    return element.dispatchEvent(
      new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer }),
    );
  });
  expect(text).toBe(true);
});

test("a title that was proposed follows the file that is chosen, and one's own stays", async ({
  page,
  musician,
}) => {
  await openForm(page, musician);
  const title = page.getByLabel("Title");
  const named = (name: string) => ({ name, type: "audio/mpeg", bytes: [...makeMp3(6)] });
  const take = ({ name, bytes }: ReturnType<typeof named>) =>
    choose(page, name, Uint8Array.from(bytes));
  await take(named("Midnight Train FINAL.mp3"));
  await expect(title).toHaveValue("Midnight Train");
  await drop(page, "footer", [named("Morning Train.mp3")]);
  await expect(title).toHaveValue("Morning Train");
  await title.fill("My train");
  await drop(page, "footer", [named("Another.mp3")]);
  await take(named("Third.mp3"));
  await expect(title).toHaveValue("My train");
});

test("what was dropped and is refused gives way to what is dropped next", async ({
  page,
  musician,
}) => {
  await openForm(page, musician);
  const error = page.getByRole("alert");
  const song = { name: "mysong.mp3", type: "audio/mpeg", bytes: [...makeMp3(6)] };
  await drop(page, "footer", [{ ...song, bytes: [] }]);
  await expect(error).toHaveText(/This file is empty/);
  await drop(page, "footer", [song]);
  await expect(page.getByText("It is here.", { exact: true })).toBeVisible();
  await expect(error).toHaveCount(0);
});

test("a picture that was chosen is taken away again, by keyboard too", async ({
  page,
  musician,
}) => {
  await openForm(page, musician);
  const away = page.getByRole("button", { name: "Take the picture away" });
  await expect(away).toHaveCount(0);
  await choose(page, "Light", makeMp3(6));
  await page.getByText("Use a picture of mine").click();
  const heic = Buffer.from("\0\0\0\x18ftypheic\0\0\0\0");
  const cover = page.getByLabel("Cover");
  await cover.setInputFiles({ name: "IMG_1.HEIC", mimeType: "image/heic", buffer: heic });
  await expect(page.getByRole("alert")).toHaveText(/HEIC/);
  await page.keyboard.press("Tab");
  await away.press("Enter");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(away).toHaveCount(0);
  await expect(cover).toBeFocused();
  await fillUpload(page, "Bare light", makeMp3(6));
  await page.getByRole("button", { name: "Listen, then submit" }).click();
  await expect(page.getByRole("heading", { name: "Submit “Bare light”?" })).toBeVisible();
});

test("what is chosen later takes the place of what was sent, and a picture comes with it", async ({
  page,
  musician,
}) => {
  const { userId } = await openForm(page, musician);
  await slowDown(page, { rate: 150_000 });
  await choose(page, "First light.mp3", big);
  await isUnderWay(page);
  await slowDown(page, { rate: -1 });
  const isHere = page.getByText("It is here.", { exact: true });
  await drop(page, "footer", [
    { name: "Other light.mp3", type: "audio/mpeg", bytes: [...makeMp3(6)] },
  ]);
  await expect(page.getByLabel("Title")).toHaveValue("Other light");
  await expect(isHere).toBeVisible();
  await page.getByText("Use a picture of mine").click();
  await page.getByLabel("Cover").setInputFiles({
    ...{ name: "front.png", mimeType: "image/png", buffer: Buffer.from(png) },
  });
  const kept = () =>
    onDatabase(
      "SELECT title, cover_type FROM recordings WHERE owner_id = ? AND file_ended_at IS NULL",
      [userId],
    );
  await expect.poll(kept).toEqual([["Other light", "png"]]);
  await expect(isHere).toBeVisible();
  await page.getByLabel("Made by people").check();
  const picker = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Take another" }).click();
  await (await picker).setFiles({
    ...{ name: "Third light.mp3", mimeType: "audio/mpeg", buffer: Buffer.from(makeMp3(7)) },
  });
  await expect.poll(kept).toEqual([["Third light", "png"]]);
  // What was said of one is not said of another.
  await expect(page.getByLabel("Made by people")).not.toBeChecked();
});

test("what was sent and never named is asked about where it is submitted", async ({
  page,
  musician,
}) => {
  await openForm(page, musician);
  await choose(page, "Early_light.mp3", makeMp3(6));
  await expect(page.getByText("It is here.", { exact: true })).toBeVisible();
  await page.reload();
  await page.getByRole("link", { name: "Not submitted yet: Early light" }).click();
  await expect(page.getByRole("button", { name: "Submit your song" })).toHaveCount(0);
  await page.getByLabel(/This recording is mine/).check();
  await page.getByLabel("Partly generated").check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "Submit your song" })).toBeVisible();
  await expect(page.getByText("Change the title or the artist")).toBeVisible();
});

test("the cover and colour of a file are there before it travels, and one that is silent is named", async ({
  page,
  musician,
}) => {
  await openForm(page, musician);
  await choose(page, "My_Band-03_final.mp3", makeMp3(6));
  await expect(page.getByText("This file is silent.")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("My Band 03");
  const cover = page.locator("form .cover");
  const drawn = (await cover.getAttribute("src")) ?? "";
  const tint = await page.locator(".page").getAttribute("class");
  expect(tint).toMatch(/hue-\d/);
  await page.getByLabel(/This recording is mine/).check();
  await page.getByLabel("Made by people").check();
  await page.getByRole("button", { name: "Listen, then submit" }).click();
  await expect(page.getByRole("heading", { name: "Submit “My Band 03”?" })).toBeVisible();
  await expect(page.locator(".draft .cover")).toHaveAttribute("src", drawn);
  expect(await page.locator(".page").getAttribute("class")).toBe(tint);
});

test("a recording is played, sought and paused by one button and its slash, and only one sounds", async ({
  page,
  musician,
}) => {
  await musician({ credits: 6 });
  await upload(page, "Long light", makeWav(40), { scripted: true });
  const position = page.getByRole("slider", { name: "Position in your recording" });
  await page.getByRole("button", { name: "Play your recording" }).click();
  await expect(page.getByRole("button", { name: "Pause your recording" })).toBeVisible();
  await expect(page.getByText("Hear it first")).toHaveCount(0);
  await position.press("ArrowRight");
  await position.press("ArrowRight");
  await expect(position).toHaveAttribute("aria-valuetext", /^0:1\d of 0:40$/);
  await position.press("ArrowLeft");
  await page.locator("audio").evaluate((own: HTMLAudioElement) => {
    const other = own.cloneNode() as HTMLAudioElement;
    other.id = "other";
    other.muted = true;
    own.after(other as never);
    return other.play();
  });
  await page.getByRole("button", { name: "Pause your recording" }).click();
  await page.getByRole("button", { name: "Play your recording" }).click();
  await expect
    .poll(() => page.locator("#other").evaluate((it: HTMLAudioElement) => it.paused))
    .toBe(true);
});

test("a file that is not on this device yet is told as such", async ({ page, musician }) => {
  await openForm(page, musician);
  await choose(page, "Cloud light", new Uint8Array());
  await expect(page.getByRole("alert")).toHaveText(/empty.*iCloud or Google Drive/);
});

test("what this browser cannot play is told from a broken line, and is not submitted", async ({
  page,
  musician,
  complaints,
}) => {
  complaints.expect(/503|Failed to load/);
  await musician({ credits: 6 });
  await upload(page, "Silent light", makeMp3(6));
  await expect(page.getByText("Hear it first")).toBeVisible();
  const audio = /\/recordings\/[^/]+\/audio$/;
  const play = () => page.getByRole("button", { name: "Play your recording" }).click();
  await page.route(audio, (route) => route.fulfill({ status: 503, body: "" }));
  await play();
  await expect(page.getByRole("alert")).toHaveText(/Check your connection/);
  await page.unroute(audio);
  await page.route(audio, (route) =>
    route.fulfill({ status: 200, contentType: "audio/mpeg", body: "no sound" }),
  );
  await page.reload();
  const told = page.waitForResponse(/\/silent$/);
  await play();
  await expect(page.getByRole("alert")).toHaveText(/could not play this file/);
  await told;
  await expect(page.getByRole("button", { name: "Submit your song" })).toHaveCount(0);
  await page.unroute(audio);
  await page.reload();
  await expect(page.getByRole("alert")).toHaveText(/could not play this file/);
  await play();
  await expect(page.getByText("Hear it first")).toHaveCount(0);
  await page.getByRole("button", { name: "Submit your song" }).click();
  await expect(page.getByText(/is added!/)).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("what a machine has made is refused, and what people have in part is labelled", async ({
    page,
    musician,
    complaints,
  }) => {
    complaints.expect(/422/);
    await musician({ credits: 6 });
    await page.goto("/?menu=addownsong");
    await sayHowMade(page, async () => {
      await expect(page.getByText(onlyByPeople)).toBeVisible();
      await page.getByRole("link", { name: "Back to the upload" }).click();
      await fillUpload(page, "Odd light", makeMp3(6));
    });
  });

  test("what is refused of a large file says what to do", async ({
    page,
    musician,
    complaints,
  }) => {
    complaints.expect(/422|409/);
    const { userId } = await musician({ credits: 6 });
    const flac = large.slice();
    flac.set(new TextEncoder().encode("fLaC"));
    await upload(page, "FLAC light", flac);
    await expect(page.getByText(/FLAC.*as WAV or MP3/)).toBeVisible();
    await page.goto("/?menu=addownsong");
    const cover = { name: "a.png", mimeType: "image/png", buffer: Buffer.alloc(large.length, 1) };
    await page.getByText("Use a picture of mine").click();
    await page.getByLabel("Cover").setInputFiles(cover);
    await fillUpload(page, "Covered light", makeMp3(6));
    await page.getByRole("button", { name: "Listen, then submit" }).click();
    await expect(page.getByText(/cover can have 5 MB/)).toBeVisible();
    await useUpTheDay(userId);
    await upload(page, "Large light", large);
    await expect(page.getByText(/20 files within a day/)).toBeVisible();
  });
});
