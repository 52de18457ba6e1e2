import { accent, Table, tinted } from "./style";

/** Tally strokes as table cells, because mail clients show no SVG and few of them show gradients. */
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
 * The columns of a group, with the measures of the app's `Tally`: the number of the upright stroke that
 * stands there, if any, and the height at which the fifth stroke passes.
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

/** A piece of a column. Without a font size, Outlook makes it higher. */
function Cell({
  width,
  height,
  upright,
}: {
  width: number;
  height: number;
  upright: number | undefined;
}) {
  const stroke = upright ? tinted("stroke") : undefined;
  return (
    <td
      className={stroke?.className}
      width={width}
      height={height}
      style={{ ...stroke?.style, fontSize: 0, lineHeight: 0 }}
    />
  );
}
