// Without it, marks would be a file of their own, which every page loads.
import { type PicturedSong, pictureSize, pictureSvg } from "./picture-svg";

/** Draws a song's result as a PNG. */
export async function drawPicture({
  artUrl,
  ...song
}: PicturedSong & { artUrl: string | null }): Promise<Blob> {
  const voice = document.querySelector<HTMLLinkElement>("link[rel=preload][as=font]");
  const [file, image] = await Promise.all([
    fetch(voice?.href ?? "").then((answer) => answer.arrayBuffer()),
    artUrl === null ? null : load(artUrl).catch(() => null),
    document.fonts.load("700 62px Familjen"),
  ]);
  const cover = image ? dataOf(image) : null;
  const voiceUrl = `data:font/woff2;base64,${btoa(String.fromCharCode(...new Uint8Array(file)))}`;
  const { canvas, pen } = canvasOf(pictureSize);
  const measure = (text: string, font: string) => {
    pen.font = font;
    return pen.measureText(text).width;
  };
  const svg = pictureSvg(song, { cover, voiceUrl, measure });
  pen.drawImage(await load(`data:image/svg+xml,${encodeURIComponent(svg)}`), 0, 0);
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error("no picture")));
    canvas.toBlob(take, "image/png");
  });
}

function dataOf(image: HTMLImageElement) {
  // An SVG need not say how large it is.
  const size = { width: image.naturalWidth || 640, height: image.naturalHeight || 640 };
  const { canvas, pen } = canvasOf(size);
  pen.drawImage(image, 0, 0, size.width, size.height);
  return { url: canvas.toDataURL(), ...size };
}

function canvasOf({ width, height }: { width: number; height: number }) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("This browser has no canvas.");
  return { canvas, pen };
}

/** Fails for a picture that its server does not let be drawn here, or that is gone. */
async function load(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.crossOrigin = "anonymous";
  image.src = url;
  await image.decode();
  return image;
}
