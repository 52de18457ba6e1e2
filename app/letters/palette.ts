/**
 * The product's colours for mails, light and dark. Mail clients support neither custom properties
 * nor `light-dark()`, so each element has its light colour inline, and a class by which a style sheet
 * makes it dark in clients that read one.
 */
const tints = {
  ground: { property: "backgroundColor", light: "#f6f6f4", dark: "#141416" },
  surface: { property: "backgroundColor", light: "#ffffff", dark: "#1e1e21" },
  ink: { property: "color", light: "#1a1a1c", dark: "#f4f3f0" },
  soft: { property: "color", light: "#5b5b61", dark: "#a9a8ad" },
  line: { property: "borderColor", light: "#dcdcd7", dark: "#34343a" },
  stroke: { property: "backgroundColor", light: "#1a1a1c", dark: "#f4f3f0" },
} as const;

type Tint = keyof typeof tints;

/** The same in both colour schemes: a background for dark text, or a mark beside text. */
export const accent = "#f2b134";
export const onAccent = "#1a1a1c";

/** The class and the inline style that give an element these colours. */
export function tinted(...names: Tint[]): { className: string; style: Record<string, string> } {
  return {
    className: names.join(" "),
    style: Object.fromEntries(names.map((name) => [tints[name].property, tints[name].light])),
  };
}

/** A font size in pixels, with its font. Every cell sets it: in some clients tables inherit none. */
export function font(fontSize: number): { [property: string]: string | number } {
  const fontFamily =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
  return { fontFamily, fontSize, lineHeight: 1.5 };
}

function darkRules(property: string | null, within = ""): string {
  return Object.entries(tints)
    .filter(([, tint]) => property === null || tint.property === property)
    .map(([name, tint]) => {
      const cssName = tint.property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return `${within}.${name}{${cssName}:${tint.dark} !important}`;
    })
    .join("\n");
}

/** For clients that follow the system's colour scheme. */
export const darkCss = `:root{color-scheme:light dark}
@media (prefers-color-scheme: dark){
${darkRules(null)}
}`;

/**
 * For Outlook, which marks the elements it darkens: text with `data-ogsc`, backgrounds with
 * `data-ogsb`. A style sheet of its own, because some clients drop a whole style sheet that has a
 * selector they do not know.
 */
export const outlookDarkCss = `${darkRules("color", "[data-ogsc] ")}
${darkRules("backgroundColor", "[data-ogsb] ")}`;

/** For narrow screens. */
export const narrowCss = `@media (max-width: 480px){
.page{padding:12px 8px 32px !important}
.card{padding:24px 20px 8px !important}
.foot{padding:20px 20px 0 !important}
}`;
