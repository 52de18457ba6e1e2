import { describe, expect, test } from "vitest";
import { contents, rowsOf, whileWritesFail } from "../../support/database/contents";
import { makeUser, type TestUser } from "../../support/database/factories";
import { makeSession } from "../../support/login";
import { request } from "../../support/request";

const label = "Receive an Email when I get a new Rating";

async function loggedIn(options: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser(options);
  const { cookie } = await makeSession(user);
  return { user, cookie };
}

async function wants({ id }: TestUser): Promise<unknown> {
  const rows = await rowsOf(
    "SELECT receive_rating_emails AS wants FROM email_preferences WHERE user_id = ?",
    id,
  );
  return rows.map((row) => (row as { wants: number }).wants);
}

/** The HTML of a screen's checkbox. */
async function boxOn(path: string, cookie: string): Promise<string> {
  const page = await (await request(path, { cookie })).text();
  const form = page.split('action="/email-preference"')[1]?.split("</form>")[0] ?? "";
  expect(form).toContain(label);
  return /<input type="checkbox"[^>]*>/.exec(form)?.[0] ?? "";
}

describe("the preference", () => {
  test.each([true, "true", false, "false"])(
    "%j is saved for a request by script",
    async (value) => {
      const { user, cookie } = await loggedIn({ receiveRatingEmails: String(value) === "false" });
      const answer = await request("/email-preference", {
        cookie,
        json: { receiveRatingEmails: value },
      });
      const receiveRatingEmails = String(value) === "true";
      expect([answer.status, await answer.json()]).toEqual([
        200,
        { ok: true, receiveRatingEmails },
      ]);
      expect(await wants(user)).toEqual([Number(receiveRatingEmails)]);
    },
  );

  test("is saved from a plain form, and shown on the screen with the form", async () => {
    const { user, cookie } = await loggedIn();
    for (const screen of ["/ratings-of-my-songs", "/account"]) {
      // Browsers do not send an empty checkbox. The hidden field before it means no.
      const off = await request("/email-preference", {
        cookie,
        body: new URLSearchParams([
          ["next", screen],
          ["receiveRatingEmails", "false"],
        ]),
      });
      expect([off.status, off.headers.get("Location")]).toEqual([303, `${screen}?saved=1`]);
      expect(await wants(user)).toEqual([0]);
      expect(await boxOn(screen, cookie)).not.toContain("checked");
      const on = await request("/email-preference", {
        cookie,
        body: new URLSearchParams([
          ["next", screen],
          ["receiveRatingEmails", "false"],
          ["receiveRatingEmails", "true"],
        ]),
      });
      expect(on.status).toBe(303);
      expect(await wants(user)).toEqual([1]);
      expect(await boxOn(screen, cookie)).toContain("checked");
    }
  });

  test("is saved with the account's other choices, by one form", async () => {
    const { user, cookie } = await loggedIn();
    const page = await (await request("/account", { cookie })).text();
    expect(page.split('action="/email-preference"')).toHaveLength(2);
    const body = new URLSearchParams([
      ["next", "/account"],
      ["receiveRatingEmails", "false"],
      ["receiveRatingEmails", "true"],
      ["ratingMailRhythm", "complete"],
      ["receiveSubscriptionEmails", "false"],
    ]);
    expect((await request("/email-preference", { cookie, body })).status).toBe(303);
    expect(
      await rowsOf(
        `SELECT receive_rating_emails AS rating, receive_subscription_emails AS subscription,
          rating_mail_rhythm AS rhythm FROM email_preferences WHERE user_id = ?`,
        user.id,
      ),
    ).toEqual([{ rating: 1, subscription: 0, rhythm: "complete" }]);
  });

  test("is yes by default", async () => {
    const { cookie } = await loggedIn();
    expect(await boxOn("/ratings-of-my-songs", cookie)).toContain("checked");
  });

  test("stays as it was if the new one cannot be saved, which is an error", async () => {
    const { user, cookie } = await loggedIn({ receiveRatingEmails: true });
    await whileWritesFail("UPDATE", "email_preferences", async () => {
      const json = { receiveRatingEmails: false };
      const answer = await request("/email-preference", { cookie, json });
      expect(answer.status).toBeGreaterThanOrEqual(500);
    });
    expect(await wants(user)).toEqual([1]);
  });

  test("redirects only to a screen of this site", async () => {
    const { cookie } = await loggedIn();
    for (const next of ["https://evil.example/", "//evil.example", "/\\evil.example", "/nowhere"]) {
      const form = { next, receiveRatingEmails: "true" };
      const answer = await request("/email-preference", { cookie, form });
      expect([next, answer.headers.get("Location")]).toEqual([next, "/?saved=1"]);
    }
  });
});

describe("refused without any change is", () => {
  test.each([
    {},
    { receiveRatingEmails: "maybe" },
    { receiveRatingEmails: "" },
    { ratingMailRhythm: "weekly" },
    { other: "true" },
  ])("a request without a preference (%j)", async (json) => {
    const { cookie } = await loggedIn({ receiveRatingEmails: true });
    const before = await contents("email_preferences");
    expect((await request("/email-preference", { cookie, json })).status).toBe(422);
    expect(await contents("email_preferences")).toEqual(before);
  });

  test("the preference of a user without an address, whose checkbox is disabled", async () => {
    const { user, cookie } = await loggedIn({ email: null });
    const json = { receiveRatingEmails: true };
    const answer = await request("/email-preference", { cookie, json });
    expect([answer.status, await answer.json()]).toEqual([
      409,
      { error: "We have no e-mail address for you yet. Please add one first." },
    ]);
    expect(await wants(user)).toEqual([]);
    expect(await boxOn("/ratings-of-my-songs", cookie)).toContain("disabled");
  });
});

test("the ratings page shows the user's own address, otherwise Spotify's", async () => {
  const { user, cookie } = await loggedIn();
  const page = await (await request("/ratings-of-my-songs", { cookie })).text();
  expect(page).toContain(`${user.id}@musicians.example`);
  const other = await loggedIn({ ownEmail: "mine@own.example" });
  const own = await (await request("/ratings-of-my-songs", { cookie: other.cookie })).text();
  expect(own).toContain("mine@own.example");
  expect(own).not.toContain(`${other.user.id}@musicians.example`);
});
