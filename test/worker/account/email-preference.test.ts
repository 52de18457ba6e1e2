import { expect, test } from "vitest";
import { gives, holds, leads, shows, tells, unchanged } from "../../support/answers";
import { rows } from "../../support/database/rows";
import { type Someone, someone } from "../../support/people";

const path = "/email-preference";

async function wants(userId: string): Promise<boolean | undefined> {
  return (await rows("emailPreferences", { userId }))[0]?.receiveRatingEmails;
}

/** The HTML of a screen's checkbox. */
async function boxOn(screen: string, who: Someone): Promise<string> {
  const label = "Receive an Email when I get a new Rating";
  const form = (await shows(who, screen, label)).split(`action="${path}"`)[1]?.split("</form>")[0];
  expect(form).toContain(label);
  return /<input type="checkbox"[^>]*>/.exec(form ?? "")?.[0] ?? "";
}

/** Sends a form as a browser does, in which fields have several values. */
function sends(who: Someone, ...fields: [name: string, ...values: string[]][]) {
  const pairs = fields.flatMap(([name, ...values]) => values.map((value) => [name, value]));
  return who.gets(path, { body: new URLSearchParams(pairs) });
}

test.each([true, "true", false, "false"])(
  "the preference %j is saved for a request by script",
  async (value) => {
    const receiveRatingEmails = String(value) === "true";
    const who = await someone({ receiveRatingEmails: !receiveRatingEmails });
    await tells(who.sends(path, { receiveRatingEmails: value }), 200, {
      ok: true,
      receiveRatingEmails,
    });
    expect(await wants(who.id)).toBe(receiveRatingEmails);
  },
);

test("a preference is yes by default, saved from a plain form, and shown on the screen with the form", async () => {
  const who = await someone();
  expect(await boxOn("/ratings-of-my-songs", who)).toContain("checked");
  for (const screen of ["/ratings-of-my-songs", "/account"]) {
    // Browsers do not send an empty checkbox. The hidden field before it means no.
    for (const values of [["false"], ["false", "true"]]) {
      const isOn = values.includes("true");
      await leads(
        sends(who, ["next", screen], ["receiveRatingEmails", ...values]),
        `${screen}?saved=1`,
      );
      expect(await wants(who.id)).toBe(isOn);
      expect((await boxOn(screen, who)).includes("checked")).toBe(isOn);
    }
  }
});

test("a preference is saved with the account's other choices, by one form", async () => {
  const who = await someone();
  expect((await who.reads("/account")).split(`action="${path}"`)).toHaveLength(2);
  await gives(
    sends(
      who,
      ["next", "/account"],
      ["receiveRatingEmails", "false", "true"],
      ["ratingMailRhythm", "complete"],
      ["receiveSubscriptionEmails", "false"],
    ),
    303,
  );
  await holds("emailPreferences", {
    ...{ receiveRatingEmails: true, receiveSubscriptionEmails: false },
    ratingMailRhythm: "complete",
  });
});

test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "/nowhere"])(
  "saving a preference redirects not to %s, but to a screen of this site",
  async (next) => {
    await leads((await someone()).posts(path, { next, receiveRatingEmails: "true" }), "/?saved=1");
  },
);

test.each([
  {},
  { receiveRatingEmails: "maybe" },
  { receiveRatingEmails: "" },
  { ratingMailRhythm: "weekly" },
  { other: "true" },
])("a request without a preference (%j) is refused, and changes nothing", async (json) => {
  const who = await someone({ receiveRatingEmails: true });
  await who.login();
  await gives(
    unchanged(() => who.sends(path, json)),
    422,
  );
});

test("the preference of a user without an address is refused, and its checkbox disabled", async () => {
  const who = await someone({ email: null });

  const error = "We have no e-mail address for you yet. Add one first.";
  await tells(who.sends(path, { receiveRatingEmails: true }), 409, { error });
  expect(await wants(who.id)).toBeUndefined();
  expect(await boxOn("/ratings-of-my-songs", who)).toContain("disabled");
});

test("the ratings page shows the user's own address, otherwise Spotify's", async () => {
  const [who, other] = [await someone(), await someone({ ownEmail: "mine@own.example" })];
  await shows(who, "/ratings-of-my-songs", `${who.id}@musicians.example`);
  const own = await shows(other, "/ratings-of-my-songs", "mine@own.example");
  expect(own).not.toContain(`${other.id}@musicians.example`);
});
