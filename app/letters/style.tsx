/**
 * Mail clients support neither custom properties nor `light-dark()`. So each element has its light colour
 * inline, and a class by which a style sheet makes it dark in clients that read one.
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

/** The same in both colour schemes. */
export const accent = "#f2b134";
export const onAccent = "#1a1a1c";

export function tinted(...names: Tint[]): { className: string; style: Record<string, string> } {
  return {
    className: names.join(" "),
    style: Object.fromEntries(names.map((name) => [tints[name].property, tints[name].light])),
  };
}

/** Every cell sets its font, because tables inherit none in some clients. */
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

export const darkCss = `:root{color-scheme:light dark}
@media (prefers-color-scheme: dark){
${darkRules(null)}
}`;

/**
 * Outlook marks text that it darkens with `data-ogsc`, backgrounds with `data-ogsb`. This is a style sheet
 * of its own, because some clients drop a whole style sheet that has a selector they do not know.
 */
export const outlookDarkCss = `${darkRules("color", "[data-ogsc] ")}
${darkRules("backgroundColor", "[data-ogsb] ")}`;

export const narrowCss = `@media (max-width: 480px){
.page{padding:12px 8px 32px !important}
.card{padding:24px 20px 8px !important}
.foot{padding:20px 20px 0 !important}
}`;

/** A table of one row, for layout: mail clients agree on little else. */
export function Table({
  width,
  margin,
  tints,
  children,
}: {
  width?: string;
  margin?: string;
  tints?: ReturnType<typeof tinted>;
  children: JSX.Element | (JSX.Element | null)[];
}) {
  return (
    <table
      role="presentation"
      width={width}
      cellPadding={0}
      cellSpacing={0}
      border={0}
      className={tints?.className}
      style={{ ...tints?.style, margin }}
    >
      <tbody>
        <tr>{children}</tr>
      </tbody>
    </table>
  );
}
