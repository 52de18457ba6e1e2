import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { dayOf, hourMs } from "~/platform/dates";
import { makeCommunity } from "../../support/database/community";
import { insert } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { someone, song } from "../../support/people";
import { request } from "../../support/request";

/** What the page tells of each number, as an isolate renders it that has none in memory. */
async function told(): Promise<Record<string, string>> {
  const page = await (await request("/numbers", { bindings: { ...env } })).text();
  const sections = [...page.matchAll(/<section[^>]*>(.*?)<\/section>/gs)].map(
    ([, section = ""]) => {
      const text = section.replace(/<svg.*?<\/svg>/gs, "|").replace(/<.*?>/g, "");
      const [topic = ""] = /(?<=<small>).*?(?=<)/.exec(section) ?? [];
      return [topic, text.replace(topic, "").trim()];
    },
  );
  return Object.fromEntries(sections);
}

async function countDay(figures: Record<string, number>): Promise<void> {
  const zero = { logins: 0, listens: 0, ratings: 0, passes: 0, submissions: 0, empty_visits: 0 };
  const none = { mails_sent: 0, mails_failed: 0, jobs_failed: 0, written_at: 1 };
  await insert("daily_stats", { day: dayOf(Date.now()), ...zero, ...none, ...figures }).run();
}

test("with nothing to count the page says of each number that there is too little", async () => {
  const numbers = await told();
  expect(Object.keys(numbers)).toEqual([
    ...["Promised", "Kept", "Waited", "Given", "Still owed"],
    ...["Among friends", "Here last week"],
  ]);
  for (const text of Object.values(numbers)) expect(text).toMatch(/^Too few to say\.[^|]*$/);
});

test("what is counted is told, drawn a stroke each, and with how it is counted", async () => {
  await makeCommunity({
    promises_kept: 21,
    half_within_ms: 11 * hourMs,
    most_within_ms: 40 * hourMs,
  });
  await countDay({ submissions: 35, ratings: 171, owed: 24 });
  await song({ submittedAt: [Date.UTC(2026, 2, 3)] });
  for (let n = 0; n < 20; n += 1) await makeSession(await someone());
  const numbers = await told();
  expect(numbers.Promised).toMatch(/^35 songsSongs submitted in the last 30 days.*\.\|{7}$/);
  expect(numbers.Kept).toMatch(/^21 songs.*\.\|{5}$/);
  expect(numbers.Waited).toMatch(/^11 hours.*nine of ten within 40 hours\./);
  expect(numbers.Given).toMatch(/^171 ratings/);
  expect(numbers["Still owed"]).toMatch(/^24 ratings.*The oldest promise waits since .*3.*2026\./);
  expect(numbers["Here last week"]).toMatch(/^20 members.* 20 had come before\./);
});
