type Font = (size: number) => string;

export const voiceFont: Font = (size) =>
  `700 ${size}px Familjen, "Familjen Fallback", system-ui, sans-serif`;

export function textFont(weight: number): Font {
  return (size) => `${weight} ${size}px system-ui, sans-serif`;
}

interface TextPlace {
  x: number;
  y: number;
  width: number;
  font: Font;
  /** The largest; it shrinks to two thirds of it before words are cut off. */
  size: number;
  lines: number;
  colour: string;
  /** Draws nothing. */
  isMeasured?: boolean;
}

const lineHeight = 1.04;

/** Draws a text that starts at the left, whichever way it is written. @returns how high it is. */
export function drawText(pen: CanvasRenderingContext2D, text: string, place: TextPlace): number {
  const { x, y, width, font, size: most, lines: mostLines, colour } = place;
  let size = most;
  let lines: string[] = [];
  for (; ; size -= most / 24) {
    pen.font = font(size);
    lines = wrap(pen, text, width);
    if (lines.length <= mostLines || size <= (most * 2) / 3) break;
  }
  lines = balanced(pen, text, width, lines);
  if (lines.length > mostLines) {
    const [last = ""] = lines.slice(mostLines - 1);
    lines = [...lines.slice(0, mostLines - 1), shortened(pen, last, width)];
  }
  if (!place.isMeasured) {
    pen.fillStyle = colour;
    pen.textBaseline = "alphabetic";
    pen.textAlign = "left";
    pen.direction = isRightToLeft(text) ? "rtl" : "ltr";
    for (const [n, line] of lines.entries()) {
      pen.fillText(line, x, y + size * (0.8 + n * lineHeight));
    }
  }
  return size * (lines.length - 1) * lineHeight + size;
}

/** In as many lines, of which none is much shorter than the others. */
function balanced(
  pen: CanvasRenderingContext2D,
  text: string,
  width: number,
  lines: string[],
): string[] {
  let best = lines;
  for (let narrower = width; narrower > width / 3; narrower -= width / 24) {
    const tried = wrap(pen, text, narrower);
    if (tried.length > lines.length) break;
    best = tried;
  }
  return lines.length > 1 ? best : lines;
}

function wrap(pen: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line ? `${line} ${word}` : word;
    if (pen.measureText(longer).width <= width) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    line = "";
    // A word that is wider than the line is broken.
    for (const letter of word) {
      if (line && pen.measureText(line + letter).width > width) {
        lines.push(line);
        line = "";
      }
      line += letter;
    }
  }
  return line ? [...lines, line] : lines;
}

function shortened(pen: CanvasRenderingContext2D, line: string, width: number): string {
  const letters = [...line];
  while (letters.length > 0 && pen.measureText(`${letters.join("")}…`).width > width) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

/** By its first letter that has a direction. */
function isRightToLeft(text: string): boolean {
  const [letter = ""] = /\p{L}/u.exec(text) ?? [];
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(letter);
}
