/** Draws the images in public/ from favicon.svg. Run `npm run icons` after changing it, and commit them. */
import { readFileSync, writeFileSync } from "node:fs";
import { type Browser, chromium } from "@playwright/test";
import { readArguments } from "../../.ops/command-line.ts";
import { findBrowser } from "./browser.ts";

readArguments({ usage: "npm run icons" });
const ground = "#1a1a1c";
const mark = readFileSync("public/favicon.svg", "utf8");
/** Only the strokes, because systems cut the corners of touch icons and maskable icons themselves. */
const strokes = /<g.*<\/g>/s.exec(mark)?.[0] ?? "";

function square(scale: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="${ground}" d="M0 0h32v32H0z"/><g transform="translate(16 16) scale(${scale}) translate(-16 -16)">${strokes}</g></svg>`;
}

/** As the landing page begins, in the face of its headings. */
const ink = "#1a191c";
const face = readFileSync("app/styles/familjen-grotesk.woff2").toString("base64");
const onAmber = strokes.replace("#f4f3f0", ink).replace("#f2b134", "#fbfaf7");
const preview = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">
  <style>@font-face{font-family:Familjen;font-weight:400 700;src:url(data:font/woff2;base64,${face})}</style>
  <path fill="#f7b235" d="M0 0h1200v630H0z"/>
  <g transform="translate(745 60) scale(13.5)">${onAmber}</g>
  <g fill="${ink}" font-family="Familjen" font-weight="700">
    <text x="80" y="138" font-size="42">Promote your music for free</text>
    <g font-size="128" letter-spacing="-3.8">
      <text x="75" y="274">Play your</text>
      <text x="75" y="394">song to five</text>
      <text x="75" y="514">strangers.</text>
    </g>
    <text x="961" y="508" font-size="72" text-anchor="middle">Fivefold</text>
  </g>
</svg>`;

const path = findBrowser();
if (!path) throw new Error("There is no Chromium: run `npm run test:browser` first.");
const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox"] });
writeFileSync("public/favicon.ico", ico(await draw(browser, mark, 32)));
writeFileSync("public/apple-touch-icon.png", await draw(browser, square(0.85), 180));
writeFileSync("public/icon-192.png", await draw(browser, mark, 192));
writeFileSync("public/icon-512.png", await draw(browser, mark, 512));
// Stays within the inner 80 %, which no mask cuts off.
writeFileSync("public/icon-maskable-512.png", await draw(browser, square(0.8), 512));
writeFileSync("public/social.png", await draw(browser, preview, 1200, 630));
await browser.close();

async function draw(browser: Browser, svg: string, width: number, height = width): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw}</style>${svg}`);
  await page.evaluate(() => document.fonts.ready);
  const png = await page.screenshot({ omitBackground: true });
  await page.close();
  return png;
}

/** An .ico file with one PNG of 32 by 32 pixels. */
function ico(png: Buffer): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // an icon
  header.writeUInt16LE(1, 4); // one picture
  header.writeUInt8(32, 6);
  header.writeUInt8(32, 7);
  header.writeUInt16LE(1, 10); // colour planes
  header.writeUInt16LE(32, 12); // bits a pixel
  header.writeUInt32LE(png.byteLength, 14);
  header.writeUInt32LE(header.byteLength, 18); // where the picture begins
  return Buffer.concat([header, png]);
}
