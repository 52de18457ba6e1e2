import { accent, onAccent } from "~/covers/tones";
import { marks } from "~/exchange/rating/mark";
import type { Score } from "~/exchange/rating/scale";
import { empty, Rows, Table, Tinted } from "./style";

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
    <Rows isHidden>
      {rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a mail is rendered once
        <tr key={place}>
          {row.map((score, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: equal answers differ by their place alone
            <td key={at} style={{ padding: `0 ${gap}px 8px 0` }}>
              {score === null ? (
                <Table isHidden>
                  <Tinted tint="stroke" width={thicknessAt(size)} height={size} style={empty} />
                </Table>
              ) : score === "awaited" ? (
                <Awaited size={size} />
              ) : (
                <MailMark score={score} size={size} />
              )}
            </td>
          ))}
        </tr>
      ))}
    </Rows>
  );
}

/**
 * The mark of a label, made of cells, because mail clients show no SVG; where they round no corners it is square, and
 * still told apart by what is in it.
 */
export function MailMark({ score, size }: { score: Score; size: number }) {
  const { circle, form } = marks[score];
  const width = thicknessAt(size);
  const inner = size - 2 * width;
  if (form === "half") {
    const half = size / 2;
    return (
      <Table isHidden>
        <Tinted
          tint="stroke"
          width={half}
          height={size}
          style={{ ...empty, borderRadius: `${half}px 0 0 ${half}px` }}
        />
        <Tinted
          tint="ring"
          width={half - width}
          height={inner}
          style={{
            ...empty,
            ...{ borderWidth: width, borderStyle: "solid" },
            borderLeftWidth: 0,
            borderRadius: `0 ${half}px ${half}px 0`,
          }}
        />
      </Table>
    );
  }
  return (
    <Table isHidden>
      <Tinted
        tint={circle === "full" ? "edge" : "ring"}
        align="center"
        width={inner}
        height={inner}
        style={{
          ...{ borderWidth: width, borderStyle: "solid" },
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
      </Tinted>
    </Table>
  );
}

function thicknessAt(size: number): number {
  return Math.max(3, Math.round(size / 8));
}

function Awaited({ size }: { size: number }) {
  const width = 2;
  return (
    <Table isHidden>
      <Tinted
        tint="edgeSoft"
        width={size - 2 * width}
        height={size - 2 * width}
        style={{ borderWidth: width, borderStyle: "dashed", borderRadius: size / 2, ...empty }}
      />
    </Table>
  );
}
