/** The texts that hostile requests are made of. */

/** Markup that would run if a page repeated it unescaped; see `runs`. */
export const markup = [
  "<script>hostile()</script>",
  '"><img src=x onerror=hostile()>',
  "' onfocus='hostile()' autofocus='",
  '" onfocus="hostile()" autofocus="',
  "</script><svg onload=hostile()>",
  "</title><script>hostile()</script>",
];

/** Whether a page contains markup from these requests that a browser would execute. */
export function runs(page: string): boolean {
  const markupAlone = page.replaceAll(/<script nonce="\w+"[^>]*>.*?<\/script>/gs, "");
  return /<script>hostile|<img src=x|<svg onload=hostile|["'] onfocus=/i.test(markupAlone);
}

/** A host that no response may lead to. */
export const elsewhere = "evil.example";

export const texts = [
  ...markup,
  "",
  " ",
  "\0",
  "a\0b",
  "0",
  "5",
  "-1",
  "1.5",
  "3 ",
  "\t3\n",
  "03",
  "0x3",
  "٣",
  "1e309",
  "NaN",
  "null",
  "undefined",
  "[object Object]",
  "9".repeat(400),
  "true ",
  "TRUE",
  "on",
  "__proto__",
  "constructor",
  "toString",
  "' OR '1'='1",
  "'; DROP TABLE users; --",
  "%' UNION SELECT id, email FROM users --",
  "{{7*7}}<%= 7*7 %>",
  "../../../etc/passwd",
  "..",
  ".",
  "..%2f..%2f",
  "\\..\\..\\",
  "%00%ff%",
  "a\r\nSet-Cookie: hostile=1",
  "a\nX-Hostile: 1",
  `https://${elsewhere}/`,
  `//${elsewhere}/`,
  `/\\${elsewhere}/`,
  `javascript:hostile()//`,
  `a@${elsewhere}\nBcc: b@${elsewhere}`,
  "\ud800",
  "\u202e\u0000\ufeff\uffff",
  "🎵".repeat(100),
  "Z\u0351\u036b".repeat(200),
  "x".repeat(8000),
  "0123456789ABCDEFGHIJ_-",
];

export const worst = [
  markup[0] ?? "",
  markup[3] ?? "",
  "",
  "a\0b",
  "\ud800",
  "__proto__",
  "x".repeat(8000),
];

export const jsonValues: unknown[] = [
  null,
  {},
  [],
  [[[[]]]],
  { $ne: null },
  { toString: "x", valueOf: 1 },
  -0,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  2.5,
  "",
];

export const strayPaths = [
  "/no-such-page",
  "/%",
  "/%ff",
  "/%00",
  "/%E0%A4%A",
  "/%c0%ae%c0%ae/",
  "//",
  `//${elsewhere}`,
  `///${elsewhere}/%2e%2e`,
  `/\\${elsewhere}`,
  "/..%2f..%2fwrangler.toml",
  "/.env",
  "/.git/config",
  "/build/index.js",
  "/build/../wrangler.toml",
  "/node_modules/",
  "/__proto__",
  "/constructor/prototype",
  "/toString",
  "/*",
  "/$",
  "/:songId",
  "/songs",
  "/songs//rating",
  "/songs/x/rating/more",
  "/?_data=root",
  "/?_data=routes/_index&_data=root",
  "/faq?_data=__proto__",
  "/_root.data",
  "/__manifest",
  "/__manifest?version=x&p=/&p=/faq",
  "/__manifest?version=0&p=%00&p=__proto__&p=//",
  `/__manifest?${"p=/faq&".repeat(500)}`,
  `/${"a/".repeat(2000)}`,
  `/${"x".repeat(16_000)}`,
  `/?${"x".repeat(16_000)}`,
  `/${markup.map(encodeURIComponent).join("/")}`,
  `/?${markup.map(encodeURIComponent).join("&")}`,
  "/cdn-cgi/handler/scheduled",
  "/wp-login.php?redirect_to=/",
];

/** The text with half characters, which cannot be encoded, replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}
