import { expect, test } from "vitest";
import { linkText, webUrl } from "~/domain/mail-templates/links";

test("mails link to the web, encrypted or, in development, not", () => {
  const addresses = ["https://fivefold.example/account", "http://127.0.0.1:8787/account"];
  expect(addresses.map(webUrl)).toEqual(addresses);
});

test("a text names no address that is not of the web", () => {
  expect(linkText("Open", "javascript:alert(1)")).toBe("Open:\n");
});
