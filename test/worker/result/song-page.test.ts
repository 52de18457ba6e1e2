import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { reasonBits } from "~/exchange/rating/reasons";
import { makeCommunity } from "../../support/database/community";
import { baseTime } from "../../support/database/factories";
import { exemptFromInvariants } from "../../support/database/invariant-check";
import { change } from "../../support/database/rows";
import { answers, hides, shows } from "../../support/expectations";
import { someone, song } from "../../support/people";
import { giveEach, scoreBy, scored } from "../../support/people/ratings";
import { dataOf, request } from "../../support/request";

const day = 86_400_000;
const hour = 3_600_000;
const list = "/ratings-of-my-songs";
const twice = { submittedAt: [baseTime, baseTime + 5.5 * day] };

const groove = reasonBits({ liked: ["Groove"], improve: [] });
const grooveAndSound = reasonBits({ liked: ["Groove"], improve: ["Sound"] });

test("the page of a song says of two submissions what was said, what follows from it, and what changed", async () => {
  const { it, owner, path } = await scored([1, 1, 2, 1, 1, 4, 3, 4, 4, 3], twice);
  const text = await owner.reads(path);
  shows(
    text,
    "5 of 10 liked it.",
    "Submission 1, ",
    'aria-label="4 × Not for me, 1 × Mediocore"',
    "Submission 2, ",
    'aria-label="2 × Great Song, 3 × Added to my playlist!"',
    "Play it to a hundred musicians here, and between 25 and 75 of them would like it.",
    "It is liked more than the time before.",
    `/?menu=addownsong&amp;track=${it.trackId}`,
  );
  // It waits for nothing.
  hides(text, "usual here", "How long it takes");
});

test("the page of a song marks the average one and says how long songs wait, where both are known", async () => {
  const { owner, path } = await scored([4, 3, 4, 4, 3], twice);
  shows(await owner.reads(path), "Too few songs lately to say.");
  await makeCommunity({
    ...{ promises_kept: 30, half_within_ms: hour, most_within_ms: 2 * hour },
    ...{ ratings: 200, liked: 102 },
  });
  const text = await owner.reads(path);
  shows(text, "usual here: 51", "within 1 hour, and nine of ten within 2 hours");
  // That was over long ago.
  hides(text, "Usually by");
  const waiting = await song({ owner, submittedAt: [Date.now() - hour] });
  const usually = `Usually by ${new Date(Date.now() + hour).getUTCDate()} [A-Z][a-z]+\\.`;
  shows(await owner.reads(`${list}/${waiting.id}`), new RegExp(usually));
  shows(
    await owner.reads(list),
    new RegExp(`5 ratings are still to come.</span> <time[^>]*>${usually}`),
  );
});

test("the page of a song leaves what is too early to tell unsaid", async () => {
  const { it, owner, path } = await scored([]);
  shows(await owner.reads(path), "Nobody has rated it yet.");
  await scoreBy(it, [4, 4]);
  const text = await owner.reads(path);
  shows(text, "Two of five are in.</span><small> Too early to tell.");
  hides(text, "Play it to a hundred");
});

test("the page of a song is for its owner alone, and so is the file", async () => {
  const { it, path } = await scored([3]);
  const stranger = await someone();
  for (const one of [path, `${path}.csv`]) {
    const refused = await stranger.gets(one);
    expect([refused.status, (await refused.text()).includes(it.title)]).toEqual([404, false]);
  }
  const visitor = await request(path);
  const text = await visitor.text();
  expect([visitor.status, text.includes(it.title)]).toEqual([200, false]);
  shows(text, `value="${path}"`);
  await answers(request(`${path}.csv`), 303);
});

/** A song whose ratings carry these reasons, as its owner reads it. */
async function reasoned(all: (number | null)[], options: Parameters<typeof song>[0] = {}) {
  const { it, owner, path } = await scored([], options);
  await giveEach(
    it,
    all.map((reasons) => ({ reasons })),
  );
  const [page = "", data = "", file = ""] = await Promise.all(
    [path, dataOf(path), `${path}.csv`].map((one) => owner.reads(one)),
  );
  return { page, data, file };
}

test("reasons are told once three ratings carry some, and only what three of them name", async () => {
  // The fourth that says why counts once there are six.
  const all = [grooveAndSound, groove, null, grooveAndSound, grooveAndSound];
  const { page, file } = await reasoned(all);
  shows(
    page,
    "What they named",
    "From the first 3 ratings that say why.",
    /They liked<.*Groove<.*<b>3<\/b>.*Could be better<\/h3><p[^>]*>Shows once three agree\.</,
  );
  hides(page + file, /Sound|Lyrics|Melody|Vocals/);
  shows(file, '"","","Liked: Groove","3"');
});

test("reasons of several submissions are told together, and the page says so", async () => {
  const together = "All submissions together.";
  const three = [groove, groove, groove];
  hides((await reasoned(three)).page, together);
  shows((await reasoned(three, twice)).page, together);
});

test("reasons never come to a free owner, who is told only what Premium would show", async () => {
  const { page, data, file } = await reasoned(Array(5).fill(groove), { owner: {} });
  shows(page, "You have 3 more ratings", "what listeners liked, and what they would improve.");
  hides(page, "once three agree");
  hides(page + data + file, "Groove");
});

test("the file has submissions and labels, and no time of a rating", async () => {
  const { owner, path } = await scored([3, 1, 3, 2, 4, 1], { ...twice, title: '=1+1 "x"' });
  const response = await owner.gets(`${path}.csv`);
  expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  shows(response.headers.get("Content-Disposition"), "attachment");
  const text = await response.text();
  const lines = text.trimEnd().split("\r\n").slice(1);
  expect(lines.map((line) => line.split(",").slice(-4).join(" "))).toEqual([
    '"1" "2026-01-15" "Not for me" "1"',
    '"1" "2026-01-15" "Mediocore" "1"',
    '"1" "2026-01-15" "Great Song" "2"',
    '"1" "2026-01-15" "Added to my playlist!" "1"',
    '"2" "2026-01-21" "Not for me" "1"',
    '"2" "2026-01-21" "Mediocore" "0"',
    '"2" "2026-01-21" "Great Song" "0"',
    '"2" "2026-01-21" "Added to my playlist!" "0"',
  ]);
  shows(text, `"'=1+1 ""x"""`);
});

test("how many really are in a playlist outlives the raters' accounts", async () => {
  const { it, owner, path } = await scored([]);
  const raters = await giveEach(it, Array(3).fill({ score: 4, inPlaylist: true }));
  for (const { id } of raters) {
    await env.DB.prepare("DELETE FROM users WHERE id = ?").bind(id).run();
  }
  shows(await owner.reads(path), "3 of the first 3 really are in a playlist.");
});

test("two worlds that differ in hidden ratings alone look the same to a free owner, byte for byte", async () => {
  const { it, owner, path } = await scored([1, 1, 1, 1, 1, 1, 1, 1, 3, 4], { ...twice, owner: {} });
  const paths = [list, dataOf(list), `${list}?song=${it.id}`, path, dataOf(path), `${path}.csv`];
  const everything = async () => {
    const answers: string[] = [];
    for (const one of paths) {
      const response = await owner.gets(one);
      // What differs in every answer: the nonce, and the server's clock.
      const text = (await response.text()).replace(/[0-9a-f]{32}|\d{13}/g, "-");
      answers.push(`${response.status} ${text.replaceAll("<!-- -->", "")}`);
    }
    return answers;
  };
  await everything();
  const before = await everything();
  const hidden = "id NOT IN (SELECT id FROM ratings ORDER BY created_at DESC LIMIT 2)";
  await env.DB.prepare(
    `UPDATE ratings SET score = 4, reasons = 8, in_playlist = 1 WHERE ${hidden}`,
  ).run();
  expect(await everything()).toEqual(before);
  // And what is not hidden makes a difference, so that the comparison means something.
  await change("ratings", {}, { score: 2, inPlaylist: false });
  expect(await everything()).not.toEqual(before);
  expect(before[3]).toContain("All ten are in.</span><small> Two are shown here.");
  expect(before[3]).toContain("You have 8 more ratings");
});

test("the order in which ratings came makes no difference to dots and file", async () => {
  const { owner, path } = await scored([1, 2, 3, 4, 4]);
  const answers = async () => [
    (await owner.reads(dataOf(path))).replace(/\d{13}/g, "-"),
    await owner.reads(`${path}.csv`),
  ];
  const before = await answers();
  exemptFromInvariants("a rating comes after its listen has finished and is closed");
  await env.DB.prepare("UPDATE ratings SET created_at = ? - created_at")
    .bind(2 * baseTime + 6 * day)
    .run();
  expect(await answers()).toEqual(before);
});
