/** "I can't rate this": a song leaves its listener's package for good, and another takes its place. */
import { expect, test } from "vitest";
import { passReasons } from "~/exchange/pass/pass";
import { eligibility } from "~/exchange/submission/eligibility";
import { dayMs, hourMs } from "~/platform/dates";
import { isRejection } from "~/platform/rejection";
import { SpotifyError } from "~/sources/spotify/client/spotify";
import { insert, makeListen, makePackage, makeRating } from "../../support/database/factories";
import { change, rows } from "../../support/database/rows";
import { type Cast, fill, ownSong, type Someone, someone, song, songs } from "../../support/people";
import { catalogue } from "../../support/spotify/stub";

type Song = Cast<typeof song>;
const start = Date.now() - hourMs;
const ok = { ok: true };
const report = { reason: "report" } as const;
const unplayable = { reason: "unplayable" } as const;

/** Somebody with a package of some songs, and others in the rotation. */
async function makeListener(drawn: number, others = 0) {
  const offered = (await songs(drawn)) as [Song, Song, Song, Song, Song];
  const rest = await songs(others);
  const user = (await someone({ offered })).at(start);
  return { user, offered, it: offered[0], rest, ids: offered.map(({ id }) => id) };
}

async function countPassed(results: Promise<unknown>[]): Promise<number> {
  return (await Promise.all(results)).filter((result) => !isRejection(result)).length;
}

const resting = async () => (await rows("songs")).filter(({ restingSince }) => restingSince);
const saying = (text: string) => ({ error: expect.stringContaining(text) });

/** As if they had passed on as many songs as there are rows. */
async function countPasses(user: Someone): Promise<void> {
  await change("users", { id: user.id }, { passedCount: (await rows("passes")).length });
}

test.each(passReasons)(
  "“$label” takes the song out for good, and another takes its place",
  async ({ reason }) => {
    const { user, it, ids, rest } = await makeListener(3, 1);
    const standing = async () => {
      const { credits, ratedCount, submittedCount } = await user.now();
      return { credits, ratedCount, submittedCount, songs: await rows("songs") };
    };
    const before = await standing();
    // The other reasons ask Spotify nothing.
    const spotify = reason === "unplayable" ? catalogue(it) : {};
    expect(await user.passes(it, { reason }, spotify)).toEqual(ok);
    expect(await user.packaged()).toEqual([rest[0]?.id, ...ids.slice(1)]);
    expect(await rows("passes")).toMatchObject([{ songId: it.id, reason, slot: 1 }]);
    expect(await standing()).toEqual(before);
    expect(await user.pooled()).not.toContain(it.id);
  },
);

test("where no song is left, the package is smaller", async () => {
  const { user, it, ids } = await makeListener(2);
  await user.passes(it);
  expect(await user.packaged()).toEqual(ids.slice(1));
});

test("whoever passes on the last song has nothing to rate, and is told so", async () => {
  const { user, it } = await makeListener(1);
  const answer = await user.posts(`/songs/${it.id}/pass`, { reason: "known" });
  const screen = `/?passed=song:${it.id}`;
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, screen]);
  const page = await user.reads(screen);
  expect(page).toContain("The song is off your list.");
  // It can still be reported.
  expect(page).toMatch(new RegExp(`<a[^>]* href="/songs/${it.id}/pass/reason">Report it</a>`));
  expect(page).toContain("No songs available to rate");
  expect(page).toContain("more, then yours, once more songs have come in.");
  expect(page).not.toMatch(/to rate before|Rate \d/);
});

test("a report is confirmed, and no more is said than what the address can name", async () => {
  const { user, it } = await makeListener(2);
  const answer = await user.sends(`/songs/${it.id}/pass`, { reason: "report", words: "Silence" });
  expect(await answer.json()).toEqual({ ok: true, passed: "report" });
  const told = await user.reads("/?passed=report");
  expect(told).toContain("Your report has arrived");
  expect(told).not.toContain("Report it");
  for (const odd of ["constructor", ":none"]) {
    expect(await user.reads(`/?passed=${odd}`)).not.toContain("rated-notice");
  }
});

test("two a package, six in 24 hours, whatever is pressed at once", async () => {
  const { user } = await makeListener(5, 30);
  const passAll = async () => countPassed((await user.packaged()).map((id) => user.passes({ id })));
  const draw = async () => {
    const old = await user.packaged();
    const fresh = (await user.waits(1000).pooled()).filter((id) => !old.includes(id));
    await makePackage(
      user,
      fresh.slice(0, 5).map((id) => ({ id, ownerId: "" }) as Song),
    );
  };
  const passed: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    passed.push(await passAll());
    expect(await passAll()).toBe(0);
    await draw();
  }
  expect(passed).toEqual([2, 2, 2, 0, 0]);
  user.waits(dayMs);
  expect(await passAll()).toBe(2);
});

/** A user's pass on one of some songs, two of a package. */
function passRow({ id: user_id }: Someone, { id: song_id }: { id: string }, n: number) {
  const place = { package_id: `package-${Math.floor(n / 2)}`, slot: (n % 2) + 1 };
  return { id: `pass-${n}`, user_id, song_id, ...place, reason: "taste", created_at: start };
}

test("the database itself holds both limits, and that a song is rated or passed on", async () => {
  const user = await someone();
  const made = await songs(7);
  const [first, last] = [made[0] as Song, made[6] as Song];
  const pass = (given: object) => insert("passes", { ...passRow(user, last, 6), ...given }).run();
  await expect(pass({ slot: 3 })).rejects.toThrow("passes_slots");
  for (const [n, one] of made.slice(0, 6).entries()) {
    await insert("passes", passRow(user, one, n)).run();
  }
  await expect(pass({})).rejects.toThrow("six passes");
  await expect(pass({ slot: null })).rejects.toThrow("passes_beyond");
  const later = { created_at: start + dayMs };
  await expect(pass({ ...later, package_id: "package-0" })).rejects.toThrow("UNIQUE");
  await expect(makeRating(user, first)).rejects.toThrow("passed on");
  await makeRating(user, last);
  await expect(pass(later)).rejects.toThrow("has rated");
  await countPasses(user);
});

test("beyond the passes a report draws no other song, and three in 24 hours are the most", async () => {
  const { user, offered, ids } = await makeListener(5, 10);
  const [first, second, third, fourth, fifth] = offered;
  for (const one of [first, second]) await user.passes(one);
  const drawn = (await user.packaged()).filter((id) => !ids.includes(id));
  expect(drawn).toHaveLength(2);
  expect(await user.passes(third)).toMatchObject({ status: 409 });

  const page = await user.mayPass(third);
  expect(page?.obstacle).toContain("You have passed on 2 of these songs already");
  expect(page?.reasons.map(({ reason }) => reason)).toEqual(["report"]);
  const reports = [third, third, fourth].map((one) => user.passes(one, report));
  expect(await Promise.all(reports)).toEqual([ok, ok, ok]);
  expect(await user.packaged()).toEqual([...drawn, fifth.id]);

  // One that was passed on can be reported, too, and is then the last.
  const passed = { passed: true, obstacle: null, reasons: [report] };
  expect(await user.mayPass(first)).toMatchObject(passed);
  expect(await user.passes(first, report)).toEqual(ok);
  for (const one of [second, fifth]) {
    const told = saying("You have reported 3 songs within 24 hours");
    expect(await user.passes(one, report)).toMatchObject(told);
  }
  expect(await user.packaged()).toEqual([...drawn, fifth.id]);
  expect(await user.waits(dayMs).passes(fifth, report)).toEqual(ok);
  expect([await user.packaged(), (await rows("reports")).length]).toEqual([drawn, 4]);
  const reported = (id: string) =>
    insert("reports", {
      ...{ id: `more-${id}`, song_id: id, reporter_id: user.id, words: "" },
      created_at: start + dayMs,
    }).run();
  for (const id of drawn) await reported(id);
  await expect(reported(second.id)).rejects.toThrow("three reports");
});

test("a pass that went with its song is free again, whatever was reported beyond the two", async () => {
  const { user, offered } = await makeListener(5);
  const [first, second, reported, fourth, fifth] = offered;
  for (const one of [first, second]) await user.passes(one);
  await user.passes(reported, report);
  await first.owner.leaves();
  expect(await user.passes(fourth)).toEqual(ok);
  expect(await user.passes(fifth)).toMatchObject({ status: 409 });
  expect(await rows("passes")).toMatchObject([
    { songId: second.id, slot: 2 },
    { songId: reported.id, slot: null },
    { songId: fourth.id, slot: 1 },
  ]);
});

test("reports beyond the passes are none of a day's six", async () => {
  const user = (await someone()).at(start);
  for (const [n, one] of (await songs(6)).entries()) {
    const third = { id: `report-${n}`, slot: null, ...report };
    const given = n % 3 === 2 ? third : { slot: (n % 3) + 1 };
    const package_id = `package-${Math.floor(n / 3)}`;
    await insert("passes", { ...passRow(user, one, n), package_id, ...given }).run();
  }
  const left = (await songs(2)) as [Song, Song];
  await makePackage(user, left);
  const page = { obstacle: null, left: expect.stringContaining("on 2 songs") };
  expect(await user.mayPass(left[0])).toMatchObject(page);
  await change("users", { id: user.id }, { passedCount: 6 });
  for (const one of left) expect(await user.passes(one)).toEqual(ok);
});

test("a second press and the back button change nothing", async () => {
  const { user, it } = await makeListener(3, 5);
  const pressed = await Promise.all([1, 2, 3].map(() => user.passes(it, report)));
  expect(pressed).toEqual([ok, ok, ok]);
  const after = await user.packaged();
  expect(await user.passes(it, { reason: "known" })).toEqual(ok);
  expect(await user.packaged()).toEqual(after);
  expect([await rows("passes"), await rows("reports")]).toMatchObject([[report], [{}]]);
  expect(await user.mayPass(it)).toBeNull();
  const page = await user.gets(`/songs/${it.id}/pass/reason`);
  expect([page.status, page.headers.get("Location")]).toEqual([302, "/"]);
});

test("two songs passed on at once get two different ones in their places", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { user, offered } = await makeListener(3, 2);
    await Promise.all(offered.slice(0, 2).map((one) => user.passes(one)));
    expect(new Set(await user.packaged()).size).toBe(3);
  }
});

test.each([
  ["that plays", {}, 0],
  ["that was heard", { finishedAt: start - 1000 }, 1],
])("a song %s can be passed on, and then not be rated", async (_, listen, left) => {
  const { user, it } = await makeListener(2);
  await makeListen(user, it, { startedAt: start - 60_000, ...listen });
  expect(await user.passes(it)).toEqual(ok);
  const listens = await rows("listens");
  expect([listens.length, listens.filter(({ closedAt }) => closedAt === null)]).toEqual([left, []]);
  for (const path of ["play", "rating"]) {
    const json = { score: 4, deviceId: "here" };
    const answer = await user.sends(`/songs/${it.id}/${path}`, json);
    expect([answer.status, await answer.json()]).toMatchObject([409, saying("passed on")]);
  }
});

test("of a rating and a pass at once exactly one counts", async () => {
  for (let round = 0; round < 8; round += 1) {
    const { user, it } = await makeListener(2);
    await makeListen(user, it, { startedAt: start - 60_000, finishedAt: start - 1000 });
    await user.viewer();
    const rate = () => user.rates(it, 4, {});
    const leave = () => user.passes(it);
    expect(await countPassed(round % 2 ? [rate(), leave()] : [leave(), rate()])).toBe(1);
    const about = { songId: it.id };
    expect([...(await rows("ratings", about)), ...(await rows("passes", about))]).toHaveLength(1);
  }
});

test("refused: an unknown song, one's own, a rated one, one of nobody's package, and no reason", async () => {
  const { user, it, rest } = await makeListener(2, 1);
  const own = await song({ owner: user });
  await makeRating(user, it);
  const asked = [{ id: "none" }, own, it, ...rest];
  const answers = await Promise.all(asked.map((one) => user.passes(one)));
  const statuses = [404, 403, 409, 409].map((status) => ({ status }));
  expect(answers).toMatchObject(statuses);
  const long = { ...report, words: "x".repeat(301) };
  for (const json of [{}, { reason: "boring" }, long, { ...report, words: " \n " }]) {
    expect((await user.sends(`/songs/${it.id}/pass`, json)).status).toBe(422);
  }
});

test.each([
  ["does not play it", (it: Song) => catalogue({ ...it, playable: false }), 1],
  ["plays it", (it: Song) => catalogue(it), 0],
  ["cannot be asked", () => ({ track: () => Promise.reject(new SpotifyError(503, "")) }), 0],
])(
  "“It does not play for me” counts against the song by Spotify's word alone: it %s",
  async (_, spotify, refusals) => {
    const { user, it } = await makeListener(2);
    expect(await user.passes(it, unplayable, spotify(it))).toEqual(ok);
    expect(await rows("unplayableReports")).toHaveLength(refusals);
  },
);

test("three such passes let the song rest, and its owner is owed one mail", async () => {
  const it = await song();
  const spotify = catalogue({ ...it, playable: false });
  for (let n = 0; n < 3; n += 1) {
    expect(await resting()).toEqual([]);
    await (await someone({ offered: [it] })).passes(it, unplayable, spotify);
  }
  expect(await resting()).toHaveLength(1);
  expect(await rows("outbox")).toMatchObject([{ kind: "resting" }]);
});

/** Somebody passes on an own recording, of which so much had come in a listen of theirs; null without one. */
async function passOnOwn(it: Cast<typeof ownSong>, deliveredMs: number | null, listen = {}) {
  const listener = await someone({ offered: [it] });
  if (deliveredMs !== null) await makeListen(listener, it, { deliveredMs, ...listen });
  expect(await listener.passes(it, unplayable, {})).toEqual(ok);
}

const notPlayed = () => rows("unplayableReports", { answeredAt: null });

test("an own recording counts as not played where its sound had begun to come, and nothing else does", async () => {
  const it = await ownSong();
  for (const delivered of [null, 0]) await passOnOwn(it, delivered);
  await passOnOwn(it, 60_000, { finishedAt: start, startedAt: start - 60_000 });
  expect(await notPlayed()).toEqual([]);
  await passOnOwn(it, 9000);
  expect(await notPlayed()).toMatchObject([{ songId: it.id }]);
});

test("an own recording that three in a row could not play rests; its owner is told, and may bring it back", async () => {
  const it = await ownSong();
  const passTwice = async () => {
    for (let n = 0; n < 2; n += 1) await passOnOwn(it, 9000);
  };
  await passTwice();
  await makeRating(await someone(), it);
  await change("unplayableReports", {}, { answeredAt: 1 });
  await passTwice();
  expect(await resting()).toEqual([]);
  await passOnOwn(it, 9000);
  expect(await resting()).toMatchObject([{ id: it.id }]);
  expect(await rows("outbox")).toMatchObject([{ kind: "resting", subjectId: it.id }]);
  const page = await it.owner.reads("/ratings-of-my-songs");
  expect(page).toContain("three listeners in a row could not play it");
  await it.owner.posts(`/songs/${it.id}/resume`);
  expect([await resting(), await notPlayed()]).toEqual([[], []]);
});

test("passing lowers the price of a submission neither now nor later, until the song is rated through", async () => {
  const { user, offered, it } = await makeListener(2, 1);
  await song({ owner: user });
  const price = async (later = 0) => {
    const pool = await user.at(start + later).pool();
    return eligibility({ credits: 0, submittedCount: 1, ...pool }, 6, start + later).cost;
  };
  expect(await price()).toBe(3);
  for (const one of offered) await user.passes(one);
  expect(await user.pooled()).toHaveLength(1);
  expect([await price(), await price(29 * dayMs)]).toEqual([3, 3]);
  await fill(it);
  expect([await price(), await price(31 * dayMs)]).toEqual([2, 1]);
});

test("the page says what comes of it and how many are left, before anything is pressed", async () => {
  const { user, offered } = await makeListener(3);
  const [first, second, third] = offered;
  const ask = ({ id }: Song) => user.at(Date.now()).reads(`/songs/${id}/pass/reason`);
  const page = await ask(first);
  for (const { label } of passReasons) expect(page).toContain(label);
  expect(page).toContain("leaves your list for good");
  expect(page).toContain("You can pass on 2 songs for now");
  await user.passes(first);
  expect(await ask(second)).toContain("This is the last song that you can pass on for now.");
  await user.passes(second);
  const last = await ask(third);
  expect(last).toContain("You have passed on 2 of these songs already");
  expect(last).toContain("You can still report the song.");
  expect(last).not.toContain("I know the artist");
});

test("a song that was passed on stays away when Spotify gives its recording another code", async () => {
  const { user, it } = await makeListener(2);
  await user.passes(it);
  await change("songs", { id: it.id }, { isrc: "ZZABC2600001" });
  const { recording } = await it.now();
  expect(await rows("passes")).toMatchObject([{ songId: it.id, recording }]);
  expect(await user.pooled()).not.toContain(it.id);
});
