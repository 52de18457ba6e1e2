import { accent, type Tint, tinted } from "./palette";

/**
 * Tally strokes in groups of five, the fifth across the other four: `made` strokes are dark, the
 * rest up to `of` faint. They are table cells because mail clients do not show SVG. Decoration only.
 */
export function MailTally({ made, of }: { made: number; of: number }) {
  const groups = Array.from({ length: Math.ceil(of / 5) }, (_, group) => group * 5);
  return (
    <table role="presentation" aria-hidden="true" cellPadding={0} cellSpacing={0} border={0}>
      <tbody>
        <tr>
          {groups.map((before) => (
            <td key={before} style={{ padding: "0 10px 0 0" }}>
              <Group made={made - before} of={Math.min(5, of - before)} />
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

function Group({ made, of }: { made: number; of: number }) {
  const strokes = Array.from({ length: Math.min(4, of) }, (_, at) => at < made);
  return (
    <table role="presentation" cellPadding={0} cellSpacing={0} border={0}>
      <tbody>
        <Slice strokes={strokes} height={9} />
        {made >= 5 ? (
          <tr>
            <Cell width={31} height={3} tint="accent" span={9} />
          </tr>
        ) : (
          <Slice strokes={strokes} height={3} between={of >= 5 ? "unmade" : undefined} />
        )}
        <Slice strokes={strokes} height={9} />
      </tbody>
    </table>
  );
}

/** A horizontal slice of the upright strokes. The fifth stroke, once made, is a slice of its own. */
function Slice({
  strokes,
  height,
  between,
}: {
  strokes: boolean[];
  height: number;
  between?: Tint | undefined;
}) {
  const cells = strokes.flatMap((isMade, at) => [
    // biome-ignore lint/suspicious/noArrayIndexKey: strokes have no id, and never change places
    <Cell key={`${at}`} width={3} height={height} tint={isMade ? "stroke" : "unmade"} />,
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    <Cell key={`after ${at}`} width={4} height={height} tint={between} />,
  ]);
  return (
    <tr>
      <Cell width={3} height={height} tint={between} />
      {cells}
    </tr>
  );
}

function Cell({
  width,
  height,
  tint,
  span,
}: {
  width: number;
  height: number;
  tint?: Tint | "accent" | undefined;
  span?: number;
}) {
  const { className, style } =
    tint === undefined
      ? { className: undefined, style: {} }
      : tint === "accent"
        ? { className: undefined, style: { backgroundColor: accent } }
        : tinted(tint);
  return (
    <td
      className={className}
      width={width}
      height={height}
      colSpan={span}
      style={{ ...style, width, height, padding: 0, fontSize: 0, lineHeight: 0 }}
    />
  );
}
