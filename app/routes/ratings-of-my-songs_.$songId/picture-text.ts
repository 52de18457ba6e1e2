/** How wide a text is in a font, which is written as in CSS. */
export type Measure = (text: string, font: string) => number;

interface Style {
  family: string;
  weight: 400 | 700;
  /** The largest; it shrinks to two thirds of it before words are cut off. */
  size: number;
  lines: number;
  width: number;
  fill: string;
}

const lineHeight = 1.04;

/** A text as SVG, in lines that start at the left, whichever way they are written. */
export function fitText(measure: Measure, text: string, style: Style) {
  const { family, weight, width, size: most, lines: mostLines, fill } = style;
  let size = most;
  const widthOf = (line: string) => measure(line, `${weight} ${size}px ${family}`);
  let lines = wrap(text, width, widthOf);
  while (lines.length > mostLines && size > (most * 2) / 3) {
    size -= most / 24;
    lines = wrap(text, width, widthOf);
  }
  lines = balanced(text, width, widthOf);
  if (lines.length > mostLines) {
    const last = [...(lines[mostLines - 1] ?? "")];
    while (last.length > 0 && widthOf(`${last.join("")}…`) > width) last.pop();
    lines = [...lines.slice(0, mostLines - 1), `${last.join("").trimEnd()}…`];
  }
  const height = size * ((lines.length - 1) * lineHeight + 1);
  const way = isRightToLeft(text) ? ' direction="rtl" text-anchor="end"' : "";
  const svg = (x: number, y: number) =>
    `<g fill="${fill}" font-family="${family}" font-weight="${weight}" font-size="${size}"${way}>` +
    lines
      .map(
        (line, n) =>
          `<text x="${x}" y="${y + size * (0.8 + n * lineHeight)}">${escaped(line)}</text>`,
      )
      .join("") +
    "</g>";
  return { height, svg };
}

/** In as few lines as the width allows, of which none is much shorter than the others. */
function balanced(text: string, width: number, widthOf: (line: string) => number): string[] {
  const lines = wrap(text, width, widthOf);
  let best = lines;
  for (let narrower = width; narrower > width / 3; narrower -= width / 24) {
    const tried = wrap(text, narrower, widthOf);
    if (tried.length > lines.length) break;
    best = tried;
  }
  return lines.length > 1 ? best : lines;
}

function wrap(text: string, width: number, widthOf: (line: string) => number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line ? `${line} ${word}` : word;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    line = "";
    // A word that is wider than the line is broken.
    for (const letter of word) {
      if (line && widthOf(line + letter) > width) {
        lines.push(line);
        line = "";
      }
      line += letter;
    }
  }
  return line ? [...lines, line] : lines;
}

/** By its first letter that has a direction. */
function isRightToLeft(text: string): boolean {
  const [letter = ""] = /\p{L}/u.exec(text) ?? [];
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(letter);
}

/** Without what XML cannot have at all, such as half a surrogate pair. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;");
}
