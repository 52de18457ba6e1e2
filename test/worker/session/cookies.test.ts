import { expect, test } from "vitest";
import { makeMember } from "../../support/login";
import { request } from "../../support/request";
import { beginLogin, comeBack, cookieOf, decide } from "./login-flow";

const musician = "ayla-demirkan";

/** The cookies that answers have set, as name and attributes. */
function cookiesIn(...answers: Response[]): [name: string, attributes: string[]][] {
  return answers
    .flatMap(({ headers }) => headers.getSetCookie())
    .map((header) => {
      const [pair = "", ...attributes] = header.split("; ");
      return [pair.split("=")[0] ?? "", attributes.map((one) => one.toLowerCase()).sort()];
    });
}

test("no script reads a cookie, no other host and no plain connection gets one, another site sends none along", async () => {
  const pressed = await request("/login", { form: {} });
  const login = await beginLogin();
  const back = await comeBack(await decide(login, musician), login.cookie);
  const cookie = cookieOf(back, "__Host-session");
  const written = await request("/email-preference", { cookie, form: { receiveRatingEmails: "" } });
  const { cookie: other } = await makeMember();
  const drawn = await request("/", { cookie: other });
  const left = await request("/logout", { cookie, form: {} });

  const cookies = cookiesIn(pressed, back, written, drawn, left);
  const names = new Set(cookies.map(([name]) => name));
  expect([...names].sort()).toEqual(["__Host-bookmark", "__Host-login", "__Host-session"]);
  for (const [name, attributes] of cookies) {
    const lasting = attributes.filter((one) => !/^(max-age|expires)=/.test(one));
    expect([name, lasting]).toEqual([name, ["httponly", "path=/", "samesite=lax", "secure"]]);
  }
});
