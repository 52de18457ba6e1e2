import { accent, onAccent } from "~/covers/tones";
import { marks } from "~/exchange/rating/mark";
import type { Score } from "~/exchange/rating/scale";
import { Table, useTinted } from "./style";

/** More are hard to read at a glance. */
export const maxMarks = 20;

/**
 * The marks of some answers, from worst to best, in rows of five. Those that are not shown are strokes alone; those that
 * are still to come are empty.
 */
export function MailMarks({
  scores,
  hidden = 0,
  awaited = 0,
  size,
}: {
  scores: Score[];
  hidden?: number;
  awaited?: number;
  size: number;
}) {
  const all = [
    ...Array<null>(hidden).fill(null),
    ...scores.toSorted((one, other) => one - other),
    ...Array<"awaited">(awaited).fill("awaited"),
  ];
  const rows = Array.from({ length: Math.ceil(all.length / 5) }, (_, row) =>
    all.slice(5 * row, 5 * row + 5),
  );
  const gap = Math.round(size * 0.35);
  return (
    <table role="presentation" aria-hidden="true" cellPadding={0} cellSpacing={0} border={0}>
      <tbody>
        {rows.map((row, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a mail is rendered once
          <tr key={place}>
            {row.map((score, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: equal answers differ by their place alone
              <td key={at} style={{ padding: `0 ${gap}px 8px 0` }}>
                {score === null ? (
                  <Stroke size={size} />
                ) : score === "awaited" ? (
                  <Awaited size={size} />
                ) : (
                  <MailMark score={score} size={size} />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * The mark of a label, made of cells, because mail clients show no SVG; where they round no corners it is square, and
 * still told apart by what is in it.
 */
export function MailMark({ score, size }: { score: Score; size: number }) {
  const { circle, form } = marks[score];
  const tinted = useTinted();
  const width = Math.max(3, Math.round(size / 8));
  const inner = size - 2 * width;
  const empty = { fontSize: 0, lineHeight: 0 };
  if (form === "half") {
    const half = size / 2;
    const [full, ring] = [tinted("stroke"), tinted("ring")];
    return (
      <Table isHidden>
        <td
          className={full.className}
          width={half}
          height={size}
          style={{ ...full.style, ...empty, borderRadius: `${half}px 0 0 ${half}px` }}
        />
        <td
          className={ring.className}
          width={half - width}
          height={inner}
          style={{
            ...empty,
            ...border(width, ring.style),
            borderLeftWidth: 0,
            borderRadius: `0 ${half}px ${half}px 0`,
          }}
        />
      </Table>
    );
  }
  const edge = tinted(circle === "full" ? "edge" : "ring");
  return (
    <Table isHidden>
      <td
        className={edge.className}
        align="center"
        width={inner}
        height={inner}
        style={{
          ...border(width, edge.style),
          borderRadius: size / 2,
          ...(circle === "full" ? { backgroundColor: accent } : {}),
          ...(form === "plus"
            ? {
                color: onAccent,
                font: `bold ${Math.round(size * 0.85)}px/${inner}px Arial, Helvetica, sans-serif`,
              }
            : empty),
        }}
      >
        {form === "plus" ? "+" : null}
      </td>
    </Table>
  );
}

function border(width: number, { borderColor }: Record<string, string>) {
  return { borderWidth: width, borderStyle: "solid", borderColor };
}

function Awaited({ size }: { size: number }) {
  const rule = useTinted()("edgeSoft");
  const width = 2;
  return (
    <Table isHidden>
      <td
        className={rule.className}
        width={size - 2 * width}
        height={size - 2 * width}
        style={{
          ...border(width, rule.style),
          borderStyle: "dashed",
          borderRadius: size / 2,
          fontSize: 0,
          lineHeight: 0,
        }}
      />
    </Table>
  );
}

function Stroke({ size }: { size: number }) {
  const stroke = useTinted()("stroke");
  const width = Math.max(3, Math.round(size / 8));
  return (
    <Table isHidden>
      <td
        className={stroke.className}
        width={width}
        height={size}
        style={{ ...stroke.style, fontSize: 0, lineHeight: 0 }}
      />
    </Table>
  );
}
