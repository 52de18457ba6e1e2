import { type ComponentProps, createContext, type ReactNode, useContext } from "react";
import { accent, shadesOf, type Tone } from "~/covers/tones";

/** Where a mail's colours are used, and which it is in light and in dark. */
const tints = {
  ground: { property: "backgroundColor", shade: "ground" },
  ink: { property: "color", shade: "ink" },
  soft: { property: "color", shade: "soft" },
  stroke: { property: "backgroundColor", shade: "ink" },
  faint: { property: "backgroundColor", shade: "faint" },
  rule: { property: "borderColor", shade: "faint" },
  ring: { property: "borderColor", shade: "ink" },
  edgeSoft: { property: "borderColor", shade: "soft" },
  /** Around the accent, which is too pale to stand alone on a light ground. */
  edge: { property: "borderColor", shade: "ink", dark: accent },
  button: { property: "backgroundColor", shade: "ink" },
  label: { property: "color", shade: "ground" },
} as const;

type Tint = keyof typeof tints;

/** The tone of the part that a block stands in. */
export const ToneContext = createContext<Tone>("paper");

/**
 * Mail clients support neither custom properties nor `light-dark()`. So each element has its light colour
 * inline, and a class by which a style sheet makes it dark in clients that read one.
 */
export function tinted(
  tone: Tone,
  ...names: Tint[]
): { className: string; style: Record<string, string> } {
  const { light } = shadesOf(tone);
  return {
    className: names.map((name) => `${name}-${tone}`).join(" "),
    style: Object.fromEntries(
      names.map((name) => [tints[name].property, light[tints[name].shade]]),
    ),
  };
}

type TintedProps<Tag extends "a" | "p" | "span" | "td"> = ComponentProps<Tag> & {
  as?: Tag;
  tint: Tint | Tint[];
};

/** A cell, or another element, in colours of the part that it stands in. */
export function Tinted<Tag extends "a" | "p" | "span" | "td" = "td">({
  as,
  tint,
  className,
  style,
  ...others
}: TintedProps<Tag>) {
  const Element: string = as ?? "td";
  const colours = tinted(useContext(ToneContext), ...[tint].flat());
  const classNames = className ? `${className} ${colours.className}` : colours.className;
  return <Element className={classNames} {...others} style={{ ...colours.style, ...style }} />;
}

/** Without these, Outlook makes a cell without a text higher. */
export const empty = { fontSize: 0, lineHeight: 0 };

/** Every cell sets its font, because tables inherit none in some clients. */
export function font(fontSize: number): { [property: string]: string | number } {
  const fontFamily =
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
  return { fontFamily, fontSize, lineHeight: 1.5 };
}

/** The product's own voice, in a face that every client has. */
export function voice(fontSize: number): { [property: string]: string | number } {
  return {
    fontFamily: "Arial, Helvetica, sans-serif",
    fontSize,
    fontWeight: 700,
    lineHeight: 1.05,
    letterSpacing: fontSize > 30 ? "-0.03em" : "-0.01em",
  };
}

function darkRules(tones: Tone[], property: string | null, within = ""): string {
  return tones
    .flatMap((tone) => {
      const { dark } = shadesOf(tone);
      return Object.entries(tints)
        .filter(([, tint]) => property === null || tint.property === property)
        .map(([name, tint]) => {
          const cssName = tint.property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
          const colour = "dark" in tint ? tint.dark : dark[tint.shade];
          return `${within}.${name}-${tone}{${cssName}:${colour} !important}`;
        });
    })
    .join("\n");
}

export function darkCss(tones: Tone[]): string {
  return `:root{color-scheme:light dark}
@media (prefers-color-scheme: dark){
${darkRules(tones, null)}
}`;
}

/**
 * Outlook marks text that it darkens with `data-ogsc`, backgrounds with `data-ogsb`. This is a style sheet
 * of its own, because some clients drop a whole style sheet that has a selector they do not know.
 */
export function outlookDarkCss(tones: Tone[]): string {
  return `${darkRules(tones, "color", "[data-ogsc] ")}
${darkRules(tones, "backgroundColor", "[data-ogsb] ")}`;
}

export const narrowCss = `@media (max-width: 480px){
.page{padding:12px 8px 32px !important}
.card{padding:24px 20px 20px !important}
.brand{padding:8px 20px 12px !important}
.row{padding:16px 20px 4px !important}
.foot{padding:20px 20px 0 !important}
.display{font-size:34px !important}
.cover{width:72px !important}
.cover .cover{height:72px !important}
}`;

interface TableProps {
  width?: string;
  margin?: string;
  tints?: ReturnType<typeof tinted>;
  /** For pictures whose words stand beside them. */
  isHidden?: true;
  children: ReactNode;
}

/** A table of one row. */
export function Table({ children, ...its }: TableProps) {
  return (
    <Rows {...its}>
      <tr>{children}</tr>
    </Rows>
  );
}

/** A table for layout: mail clients agree on little else. */
export function Rows({ width, margin, tints, isHidden, children }: TableProps) {
  return (
    <table
      role="presentation"
      aria-hidden={isHidden}
      width={width}
      cellPadding={0}
      cellSpacing={0}
      border={0}
      className={tints?.className}
      style={{ ...tints?.style, margin }}
    >
      <tbody>{children}</tbody>
    </table>
  );
}
