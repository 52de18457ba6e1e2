import { expect, test } from "vitest";
import { linkText, webUrl } from "~/letters/blocks";

test("mails may link to https, and to http in development", () => {
  const addresses = ["https://fivefold.example/account", "http://127.0.0.1:8787/account"];
  expect(addresses.map(webUrl)).toEqual(addresses);
});

test("a link to anything else is left out of the text", () => {
  expect(linkText("Open", "javascript:alert(1)")).toBe("Open:\n");
});
