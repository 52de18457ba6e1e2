/** What can go wrong with the player in the page, each with its message (spec section 8). */
import { expect } from "@playwright/test";
import { musicianById, trackById } from "../sandbox/catalogue.ts";
import { heardTo, play, playerRuns, songAt, statusLine, unlocked } from "./support/carousel.ts";
import { apiCalls, control, idOf, test } from "./support/fixtures.ts";

const initializing =
  "Initializing Spotify player. Please wait a moment and try playing a song again.";
const takenOver =
  "Error: Spotify is playing on another device now. Please restart the song to hear it here.";

test("a player that is not ready says so, and starts the song when it is", async ({
  page,
  loginAs,
}) => {
  const musician = { musician: idOf("Naledi Mokwena-Starr") };
  await control("sdk", { fail: "hold", ...musician });
  await loginAs("Naledi Mokwena-Starr");
  await play(page, await songAt(page));
  await expect(statusLine(page)).toHaveText(initializing);
  await control("sdk", { fail: "none", ...musician });
  await unlocked(page);
});

test("a player that never gets ready gives up, and the own app is the way out", async ({
  page,
  loginAs,
}) => {
  const musician = { musician: idOf("Priya Chandavar") };
  await control("sdk", { fail: "hold", ...musician });
  await control("openApp", musician);
  await page.clock.install();
  await loginAs("Priya Chandavar");
  await play(page, await songAt(page));
  await page.clock.fastForward("00:09");
  await page.getByRole("button", { name: "Play on my Spotify app instead" }).click();
  await unlocked(page);
});

test("a token that expires in mid-song is renewed, and the song goes on", async ({
  page,
  loginAs,
}) => {
  await loginAs("Tomoe Kazahaya");
  await play(page, await songAt(page));
  await heardTo(page, 1);
  await control("expireTokens", { musician: idOf("Tomoe Kazahaya") });
  await unlocked(page);
  expect(await apiCalls("Tomoe Kazahaya", "PUT /v1/me/player/play")).toHaveLength(1);
});

test("sound that the browser holds back is asked for", async ({ page, loginAs }) => {
  await control("sdk", { fail: "autoplay", musician: idOf("Ulrike Birkenfels") });
  await loginAs("Ulrike Birkenfels");
  await play(page, await songAt(page));
  await expect(statusLine(page)).toHaveText(
    "Your browser blocked the sound. Please click 'Restart song' to hear it.",
  );
  await page.getByRole("button", { name: "Restart song" }).click();
  await unlocked(page);
});

test("a device that takes over is told, and the song can be taken back", async ({
  page,
  loginAs,
}) => {
  const musician = { musician: idOf("Valdís Hrafnsey") };
  await loginAs("Valdís Hrafnsey");
  const song = await songAt(page);
  await play(page, song);
  await heardTo(page, 2);
  const { trackId } = await control("state", musician);
  await control("play", { ...musician, trackId });
  await expect(statusLine(page)).toHaveText(takenOver);
  await expect(song.box.getByRole("radio").first()).toBeDisabled();
  await page.getByRole("button", { name: "Restart song" }).click();
  await unlocked(page);
});

test("a network that goes away in mid-song is told; back again, the song can be heard", async ({
  page,
  loginAs,
}) => {
  const musician = { musician: idOf("Winona Larkspur") };
  await loginAs("Winona Larkspur");
  await play(page, await songAt(page));
  await heardTo(page, 2);
  await control("sdk", { fail: "offline", ...musician });
  await expect(statusLine(page)).toHaveText(initializing);
  await control("sdk", { fail: "none", ...musician });
  await page.getByRole("button", { name: "Restart song" }).click();
  await unlocked(page);
});

test("a device that was lost for good is replaced, and the song goes on", async ({
  page,
  loginAs,
}) => {
  const musician = { musician: idOf("Itziar Goikoetxea") };
  await loginAs("Itziar Goikoetxea");
  await play(page, await songAt(page));
  await heardTo(page, 2);
  await control("dropDevice", musician);
  await expect(statusLine(page)).toHaveText(initializing);
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await unlocked(page);
});

test("a limit is waited for, and told where it is long", async ({ page, loginAs, complaints }) => {
  complaints.expect(/status of 429/);
  const musician = idOf("Nerys Pengelly");
  const limited = { route: "PUT /v1/me/player/play", status: 429, musician };
  await loginAs("Nerys Pengelly");
  await playerRuns(page);
  await control("fail", { ...limited, retryAfter: 3_600 });
  const song = await songAt(page);
  await play(page, song);
  await expect(statusLine(page)).toHaveText(
    "Error: Spotify is asking us to slow down. Please wait a minute and try again.",
  );
  // A page loaded anew has forgotten the hour; the next limit is short.
  await control("fail", { ...limited, retryAfter: 1 });
  await page.reload();
  await play(page, song);
  await unlocked(page);
  const orders = await apiCalls("Nerys Pengelly", "PUT /v1/me/player/play");
  expect(orders.map(({ status }) => status)).toEqual([429, 429, 204]);
});

test("a limit that the page cannot read is waited for", async ({ page, loginAs, complaints }) => {
  complaints.expect(/status of 429|blocked by CORS policy|net::ERR_FAILED/);
  const name = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaft";
  const musician = idOf(name);
  await page.clock.install();
  await loginAs(name);
  await playerRuns(page);
  await control("hideLimits", { musician, cors: true });
  const route = "PUT /v1/me/player/play";
  await control("fail", { route, status: 429, musician, times: 2 });
  await play(page, await songAt(page));
  await expect(statusLine(page)).toHaveText(
    "Spotify is asking us to slow down. Please wait a moment...",
  );
  await expect(async () => {
    await page.clock.fastForward("00:01");
    const orders = await apiCalls(name, route);
    expect(orders.map(({ status }) => status)).toEqual([429, 429, 204]);
  }).toPass({ intervals: [100] });
  await expect(statusLine(page)).toHaveText("Playing...");
});

test("a relinked track is the right one, a wrong one is not", async ({ page, loginAs }) => {
  // The first song of this musician's package is one that the market plays under another id.
  await loginAs("Ysolde Perrin");
  await play(page, await songAt(page));
  await unlocked(page);
  const track = trackById.get(musicianById.get("zbigniew-jaskier")?.trackIds[2] ?? "");
  const [order] = await apiCalls("Ysolde Perrin", "PUT /v1/me/player/play");
  expect(order?.body).toMatchObject({ uris: [`spotify:track:${track?.id}`] });
  const [answer] = await apiCalls("Ysolde Perrin", "GET /v1/me/player");
  expect(answer?.responseBody).toMatchObject({ item: { id: track?.relinkedTo } });
});
