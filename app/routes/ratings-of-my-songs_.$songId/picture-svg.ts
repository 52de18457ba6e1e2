import { inOrder, strokes } from "~/components/five-marks";
import { accent, coverColour, shadesOf, toneOf } from "~/covers/tones";
import { marks } from "~/exchange/rating/mark";
import type { Score } from "~/exchange/rating/scale";
import type { Picture } from "~/results/picture";
import type { OwnSong } from "~/results/song-result.server";
import { fitText, type Measure } from "./picture-text";

export interface PicturedSong extends Pick<OwnSong, "title" | "artists" | "spotifyUrl" | "tint"> {
  picture: Picture;
}

/** What the picture is made with. Its addresses are data URLs, because an SVG that is drawn loads nothing. */
interface Means {
  /** Null where it cannot be had. */
  cover: { url: string; width: number; height: number } | null;
  /** The product's own face. */
  voiceUrl: string;
  measure: Measure;
}

export const pictureSize = { width: 1080, height: 1920 };

const voice = { weight: 700, family: "Familjen, system-ui, sans-serif" } as const;
const readers = { weight: 700, family: "system-ui, sans-serif" } as const;

// The upper and lower seventh are left to the buttons of the app that shows it.
const [left, width, top, bottom] = [84, 912, 250, 1670];
const [art, beside, foot] = [400, 44, 60];

/** A song's result in the colour of its cover, as SVG. */
export function pictureSvg(song: PicturedSong, { cover, voiceUrl, measure }: Means): string {
  const { said, note, fives } = song.picture;
  const { ground, ink, soft } = shadesOf(toneOf(song)).light;
  const fitted = fitText.bind(null, measure);
  const name = { ...readers, fill: ink, width: width - art - beside };
  const title = fitted(song.title, { ...name, size: 62, lines: 4 });
  const by = { ...name, weight: 400, fill: soft, size: 37.2, lines: 2 } as const;
  const artists = fitted(song.artists.join(", "), by);
  const own = { ...voice, fill: ink, width };
  const verdict = fitted(said, {
    ...own,
    ...(note ? { size: 148, lines: 1 } : { size: 188, lines: 2 }),
  });
  const more = note ? fitted(note, { ...own, size: 62, lines: 1 }) : null;
  const words = verdict.height + (more ? 24 + more.height : 0);
  const room = bottom - foot - top - art - words;
  const { columns, scale, height } = layOutFives(fives.length, room - 3 * 32);
  const gap = (room - height) / 3;
  const [nameX, wordsY, fivesY] = [
    left + art + beside,
    top + art + gap,
    top + art + words + 2 * gap,
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${pictureSize.width}" height="${pictureSize.height}">
<style>@font-face{font-family:Familjen;font-weight:400 700;src:url(${voiceUrl})}</style>
<path fill="${ground}" d="M0 0h${pictureSize.width}v${pictureSize.height}H0z"/>
${coverSvg(cover, coverColour(song.tint))}
${title.svg(nameX, top + art - artists.height - 12.4 - title.height)}
${artists.svg(nameX, top + art - artists.height)}
${verdict.svg(left, wordsY)}
${more ? more.svg(left, wordsY + verdict.height + 24) : ""}
<g fill="none" stroke="${ink}" stroke-linecap="round">
${fives
  .map((five, place) => {
    const x = left + (place % columns) * (fiveWidth * scale + fivesGap);
    const y = fivesY + Math.floor(place / columns) * (fiveHeight * scale + fivesGap);
    return `<g transform="translate(${x} ${y}) scale(${scale})" stroke-width="4.4">${fiveSvg(five, ink)}</g>`;
  })
  .join("")}
<g transform="translate(${left} ${bottom - foot}) scale(${foot / 28})"><path d="M7 3v22m8-22v22m8-22v22m8-22v22" stroke-width="3"/>${slashSvg("M3 21 37 7", 3, 6)}</g>
</g>
${fitted("Fivefold", { ...own, size: 44.4, lines: 1 }).svg(left + 99.9, bottom - 49.9)}
${song.spotifyUrl === null ? "" : spotifySvg(ground)}
</svg>`;
}

/** Uncropped, with nothing over it and corners of 8 pixels, as Spotify asks. */
function coverSvg(cover: Means["cover"], instead: string): string {
  const { url, width: wide, height: high } = cover ?? { url: "", width: 1, height: 1 };
  const scale = art / Math.max(wide, high);
  const box = `x="${left}" y="${top + art - high * scale}" width="${wide * scale}" height="${high * scale}"`;
  if (!cover) return `<rect ${box} rx="8" fill="${instead}"/>`;
  return `<clipPath id="corners"><rect ${box} rx="8"/></clipPath><image ${box} href="${url}" clip-path="url(#corners)"/>`;
}

const [fiveWidth, fiveHeight, fivesGap] = [322, 184, 24];

/** How tallies are laid out within a height: two side by side where there are several. */
function layOutFives(count: number, room: number) {
  const columns = count > 1 ? 2 : 1;
  const rows = Math.ceil(count / columns);
  const scale = Math.min(
    (width - (columns - 1) * fivesGap) / (columns * fiveWidth),
    (room - (rows - 1) * fivesGap) / (rows * fiveHeight),
  );
  return { columns, scale, height: rows * fiveHeight * scale + (rows - 1) * fivesGap };
}

function fiveSvg({ scores, hidden }: Picture["fives"][number], ink: string): string {
  const given = inOrder(scores, hidden);
  return strokes
    .map(({ head, line, bare }, place) => {
      const score = given[place] ?? null;
      const path = score === null ? bare : line;
      const stroke = place === 4 ? slashSvg(path, 8, 15) : `<path d="${path}" stroke-width="8"/>`;
      return stroke + (score === null ? "" : markSvg(score, head, ink));
    })
    .join("");
}

function slashSvg(path: string, width: number, edge: number): string {
  return `<path d="${path}" stroke-width="${edge}"/><path d="${path}" stroke="${accent}" stroke-width="${width}"/>`;
}

function markSvg(score: Score, head: string, ink: string): string {
  const { circle, form, path } = marks[score];
  const within = form
    ? `<path d="${path}"${form === "half" ? ` fill="${ink}" stroke="none"` : ""}/>`
    : "";
  return `<g transform="translate(${head})"><circle r="16"${circle === "full" ? ` fill="${accent}"` : ""}/>${within}</g>`;
}

/** As public/spotify-logo.svg. */
function spotifySvg(ground: string): string {
  const scale = (0.66 * foot) / 28;
  return `<g transform="translate(${left + width - 97 * scale} ${bottom - 0.83 * foot}) scale(${scale})" fill="none" stroke="${ground}" stroke-linecap="round">
<g fill="#191414" stroke="none"><circle cx="14" cy="14" r="13"/><text x="33" y="21" font-family="Helvetica,Arial,sans-serif" font-size="20" font-weight="700" textLength="63" lengthAdjust="spacingAndGlyphs">Spotify</text></g>
<path d="M6.5 10.2c5-1.5 10.5-1 15 1.5" stroke-width="2.6"/><path d="M7.2 14.4c4.2-1.2 8.8-.7 12.6 1.4" stroke-width="2.2"/><path d="M7.8 18.4c3.5-.9 7.2-.5 10.4 1.3" stroke-width="1.8"/>
</g>`;
}
