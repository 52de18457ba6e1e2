import { grey } from "~/db/rules";
import { colour } from "~/platform/oklch";
import type { Picture } from "~/results/picture";
import type { OwnSong } from "~/results/song-result.server";
import {
  type Box,
  type Colours,
  drawBrand,
  drawFives,
  drawSpotify,
  layOutFives,
} from "./picture-parts";
import { drawText, textFont, voiceFont } from "./picture-text";

export type PictureKind = "story" | "post";

interface PicturedSong
  extends Pick<OwnSong, "title" | "artists" | "artUrl" | "spotifyUrl" | "tint"> {
  picture: Picture;
}

const sizes = { story: [1080, 1920], post: [1200, 630] } as const;

/** Draws a song's result in the colour of its cover, as a PNG. */
export async function drawPicture(song: PicturedSong, kind: PictureKind): Promise<Blob> {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = sizes[kind];
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser has no canvas.");
  const [cover] = await Promise.all([loadCover(song), document.fonts.load(voiceFont(86))]);
  const colours = coloursOf(song.tint);
  pen.fillStyle = colours.ground;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  (kind === "story" ? drawStory : drawPost)(pen, { song, cover, colours });
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error("no picture")));
    canvas.toBlob(take, "image/png");
  });
}

interface Parts {
  song: PicturedSong;
  cover: HTMLImageElement | null;
  colours: Colours;
}

/** The upper and lower seventh are left to the buttons of the app that shows it. */
function drawStory(pen: CanvasRenderingContext2D, { song, cover, colours }: Parts): void {
  const { said, note, fives } = song.picture;
  const [left, width, top, bottom, art] = [84, 912, 250, 1670, 400];
  drawCover(pen, { cover, colours }, { x: left, y: top, width: art, height: art });
  const name = { x: left + art + 44, width: width - art - 44 };
  const height = drawName(pen, song, {
    ...name,
    y: 0,
    size: 62,
    lines: 4,
    colours,
    isMeasured: true,
  });
  drawName(pen, song, { ...name, y: top + art - height, size: 62, lines: 4, colours });
  const verdict = {
    ...{ x: left, width, colour: colours.ink, font: voiceFont },
    ...(note ? { size: 148, lines: 1 } : { size: 188, lines: 2 }),
  };
  const line = { x: left, width, colour: colours.ink, font: voiceFont, size: 62, lines: 1 };
  const saidHeight = drawText(pen, said, { ...verdict, y: 0, isMeasured: true });
  const noteHeight = note ? drawText(pen, note, { ...line, y: 0, isMeasured: true }) + 24 : 0;
  const foot = 60;
  const room = bottom - top - art - saidHeight - noteHeight - foot;
  const most = { width, height: room - 3 * 32 };
  const gap = (room - layOutFives(fives.length, most).height) / 3;
  let y = top + art + gap;
  drawText(pen, said, { ...verdict, y });
  if (note) drawText(pen, note, { ...line, y: y + saidHeight + 24 });
  y += saidHeight + noteHeight + gap;
  drawFives(pen, fives, { x: left, y, ...most }, colours);
  drawFoot(pen, song, { x: left, y: bottom - foot, width, height: foot }, colours);
}

function drawPost(pen: CanvasRenderingContext2D, { song, cover, colours }: Parts): void {
  const { said, note, fives } = song.picture;
  const [left, top, bottom, art, right, width] = [60, 54, 582, 432, 552, 588];
  drawCover(pen, { cover, colours }, { x: left, y: top, width: art, height: art });
  drawFoot(pen, song, { x: left, y: bottom - 56, width: art, height: 56 }, colours);
  let y = top;
  const name = { x: right, width, y, size: 42, lines: note ? 1 : 2, colours };
  y += drawName(pen, song, name) + 24;
  const verdict = { x: right, width, colour: colours.ink, font: voiceFont, lines: 1 };
  y += drawText(pen, said, { ...verdict, y, size: 84 }) + 8;
  if (note) y += drawText(pen, note, { ...verdict, y, size: 38 }) + 8;
  y += 20;
  drawFives(pen, fives, { x: right, y, width, height: bottom - y }, colours);
}

/** Title above artists, in the reader's own type. @returns how high they are. */
function drawName(
  pen: CanvasRenderingContext2D,
  { title, artists }: Pick<PicturedSong, "title" | "artists">,
  {
    y,
    colours,
    size,
    lines,
    ...place
  }: {
    x: number;
    y: number;
    width: number;
    size: number;
    lines: number;
    colours: Colours;
    isMeasured?: boolean;
  },
): number {
  const words = { ...place, lines, font: textFont(700), colour: colours.ink };
  const above = drawText(pen, title, { ...words, y, size }) + 0.2 * size;
  const by = { ...words, lines: 2, font: textFont(400), colour: colours.soft };
  return above + drawText(pen, artists.join(", "), { ...by, y: y + above, size: 0.6 * size });
}

function drawFoot(
  pen: CanvasRenderingContext2D,
  { spotifyUrl }: Pick<PicturedSong, "spotifyUrl">,
  box: Box,
  colours: Colours,
): void {
  drawBrand(pen, box, colours);
  // Spotify asks for it beside what comes from there.
  if (spotifyUrl !== null) drawSpotify(pen, box, colours);
}

/** Uncropped, with nothing over it and corners of 8 pixels, as Spotify asks. */
function drawCover(
  pen: CanvasRenderingContext2D,
  { cover, colours }: Pick<Parts, "cover" | "colours">,
  { x, y, width, height }: Box,
): void {
  const [wide, high] = cover ? [cover.naturalWidth || 640, cover.naturalHeight || 640] : [1, 1];
  const scale = Math.min(width / wide, height / high);
  const box = { x, y: y + height - high * scale, width: wide * scale, height: high * scale };
  pen.save();
  roundedPath(pen, box, 8);
  pen.clip();
  if (cover) {
    pen.drawImage(cover, box.x, box.y, box.width, box.height);
  } else {
    pen.fillStyle = colours.cover;
    pen.fillRect(box.x, box.y, box.width, box.height);
  }
  pen.restore();
}

function roundedPath(pen: CanvasRenderingContext2D, box: Box, radius: number): void {
  const { x, y } = box;
  const [right, low] = [x + box.width, y + box.height];
  pen.beginPath();
  pen.moveTo(x + radius, y);
  pen.arcTo(right, y, right, low, radius);
  pen.arcTo(right, low, x, low, radius);
  pen.arcTo(x, low, x, y, radius);
  pen.arcTo(x, y, right, y, radius);
  pen.closePath();
}

/** Null for a picture that its server does not let be drawn here, or that is gone. */
function loadCover({ artUrl }: Pick<PicturedSong, "artUrl">): Promise<HTMLImageElement | null> {
  if (artUrl === null) return Promise.resolve(null);
  return new Promise((resolve) => {
    const image = new Image();
    image.crossOrigin = "anonymous";
    image.onload = () => resolve(image);
    image.onerror = () => resolve(null);
    image.src = artUrl;
  });
}

/** As app/styles/tinted.css has them for light pages. */
function coloursOf(tint: number | null): Colours {
  const isGrey = tint === null || tint === grey;
  const chroma = isGrey ? 0 : tint % 2 === 0 ? 0.06 : 0.13;
  const hue = isGrey ? 0 : Math.floor(tint / 2) * (720 / grey);
  return {
    ground: colour(0.845, Math.min(chroma * 0.6, 0.074), hue),
    ink: colour(0.2, Math.min(chroma * 0.3, 0.03), hue),
    soft: colour(0.335, Math.min(chroma * 0.4, 0.045), hue),
    cover: colour(0.6, chroma, hue),
    accent: colour(0.806, 0.152, 78),
  };
}
