import { accent, tinted } from "./palette";
import { Table } from "./table";

/**
 * Tally strokes in groups of five, the fifth across the other four, as the app draws them. They are
 * table cells, because mail clients show no SVG and few of them show gradients. Decoration only.
 */
export function MailTally({ count }: { count: number }) {
  const groups = Array.from({ length: Math.ceil(count / 5) }, (_, group) => group * 5);
  return (
    <table role="presentation" aria-hidden="true" cellPadding={0} cellSpacing={0} border={0}>
      <tbody>
        <tr>
          {groups.map((before) => (
            <td key={before} style={{ padding: "0 10px 0 0" }}>
              <Group count={Math.min(5, count - before)} />
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

const height = 21;
const thickness = 3;

/**
 * The columns of a group, from left to right, with the measures of the app's `Tally`: how wide each is,
 * which upright stroke stands there, if any, and at which height the fifth stroke passes.
 */
const columns: { width: number; upright?: number; fifth: number }[] = [
  { width: 1, fifth: 16 },
  { width: 3, fifth: 15, upright: 1 },
  { width: 3, fifth: 13 },
  { width: 3, fifth: 12, upright: 2 },
  { width: 3, fifth: 10 },
  { width: 3, fifth: 9, upright: 3 },
  { width: 3, fifth: 7 },
  { width: 3, fifth: 6, upright: 4 },
  { width: 3, fifth: 4 },
  { width: 3, fifth: 3 },
];

function Group({ count }: { count: number }) {
  // What is right of the fourth stroke is there for the fifth alone.
  const shown = count >= 5 ? columns : columns.slice(0, 2 * count);
  return (
    <Table>
      {shown.map(({ width, upright, fifth }) =>
        count >= 5 ? (
          <td key={fifth}>
            <table role="presentation" cellPadding={0} cellSpacing={0} border={0}>
              <tbody>
                <tr>
                  <Cell width={width} height={fifth} upright={upright} />
                </tr>
                <tr>
                  <td
                    width={width}
                    height={thickness}
                    style={{ backgroundColor: accent, fontSize: 0, lineHeight: 0 }}
                  />
                </tr>
                <tr>
                  <Cell width={width} height={height - fifth - thickness} upright={upright} />
                </tr>
              </tbody>
            </table>
          </td>
        ) : (
          <Cell key={fifth} width={width} height={height} upright={upright} />
        ),
      )}
    </Table>
  );
}

/** A piece of a column, dark where an upright stroke stands. Without a font size, Outlook makes it higher. */
function Cell({
  width,
  height,
  upright,
}: {
  width: number;
  height: number;
  upright: number | undefined;
}) {
  const { className, style } = upright ? tinted("stroke") : { className: undefined, style: {} };
  return (
    <td
      className={className}
      width={width}
      height={height}
      style={{ ...style, fontSize: 0, lineHeight: 0 }}
    />
  );
}
