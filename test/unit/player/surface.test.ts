import { expect, test } from "vitest";
import { banners, detectSurface, type Surface } from "~/player/surface";

const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const linux = "Mozilla/5.0 (X11; Linux x86_64)";
const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)";
const android = "Mozilla/5.0 (Linux; Android 10; K)";
const webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const blink = "AppleWebKit/537.36 (KHTML, like Gecko)";

const browsers: [name: string, userAgent: string, touchPoints: number, Surface][] = [
  ["Safari, iPhone", `${iPhone} ${webkit} Version/18.5 Mobile/15E148 Safari/604.1`, 5, "ios"],
  [
    "Chrome, iPhone",
    `${iPhone} ${webkit} CriOS/138.0.7204.119 Mobile/15E148 Safari/604.1`,
    5,
    "ios",
  ],
  ["Firefox, iPhone", `${iPhone} ${webkit} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 5, "ios"],
  [
    "Edge, iPhone",
    `${iPhone} ${webkit} Version/18.0 EdgiOS/138.0.3351.65 Mobile/15E148 Safari/605.1.15`,
    5,
    "ios",
  ],
  [
    "Safari, iPad",
    `Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) ${webkit} Version/18.5 Mobile/15E148 Safari/604.1`,
    5,
    "ios",
  ],
  ["Safari, iPad as a Mac", `${mac} ${webkit} Version/18.5 Safari/605.1.15`, 5, "ios"],
  ["Chrome, iPad as a Mac", `${mac} ${webkit} CriOS/138 Version/11.1.1 Safari/605.1.15`, 5, "ios"],
  ["Safari, Mac", `${mac} ${webkit} Version/18.5 Safari/605.1.15`, 0, "safari"],
  ["Chrome, Mac", `${mac} ${blink} Chrome/138.0.0.0 Safari/537.36`, 0, "browser"],
  ["Edge, Mac", `${mac} ${blink} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`, 0, "browser"],
  ["Opera, Mac", `${mac} ${blink} Chrome/136.0.0.0 Safari/537.36 OPR/121.0.0.0`, 0, "browser"],
  [
    "Firefox, Mac",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0",
    0,
    "browser",
  ],
  ["Chrome, Android", `${android} ${blink} Chrome/138.0.0.0 Mobile Safari/537.36`, 5, "browser"],
  [
    "Samsung Internet",
    `${android} ${blink} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    5,
    "browser",
  ],
  [
    "an Android app's web view",
    `Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/BP1A; wv) ${blink} Version/4.0 Chrome/138.0.7204.63 Mobile Safari/537.36`,
    5,
    "browser",
  ],
  [
    "Firefox, Android",
    "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
    5,
    "browser",
  ],
  ["Chrome, Windows touch", `${windows} ${blink} Chrome/138.0.0.0 Safari/537.36`, 10, "browser"],
  [
    "Edge, Windows",
    `${windows} ${blink} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`,
    0,
    "browser",
  ],
  [
    "Opera, Windows",
    `${windows} ${blink} Chrome/136.0.0.0 Safari/537.36 OPR/121.0.0.0`,
    0,
    "browser",
  ],
  ["Chromium, Linux", `${linux} ${blink} Chrome/138.0.0.0 Safari/537.36`, 0, "browser"],
  ["headless Chromium", `${linux} ${blink} HeadlessChrome/138.0.0.0 Safari/537.36`, 0, "browser"],
];

test.each(browsers)("%s", (_name, userAgent, touchPoints, surface) => {
  expect(detectSurface(userAgent, touchPoints)).toBe(surface);
});

test("the banners say where songs play", () => {
  expect(banners.ios).toBe("iOS: Songs play on your Spotify app");
  expect(banners.safari).toBe("Safari: Songs play on your Spotify desktop app");
  expect(banners.browser).toBeNull();
});

test.each(["Version/", "Version/1 Mobile/", "Version/1 ", "Version/1"])(
  "a user agent of nothing but %j is read in no time, however long it is",
  (piece) => {
    // With a cost that grows with the square of its length, this would take minutes.
    expect(detectSurface(piece.repeat(200_000), 0)).toBe("browser");
  },
);
