import { accent } from "~/covers/tones";
import { empty, Rows, Table, Tinted } from "./style";

/**
 * Tally strokes as table cells, because mail clients show no SVG and few of them show gradients. Those that are still to
 * come are faint, so that each five is whole.
 */
export function MailTally({ count, of = count }: { count: number; of?: number }) {
  const groups = Array.from(
    { length: Math.ceil(Math.max(count, of) / 5) },
    (_, group) => 5 * group,
  );
  return (
    <Table isHidden>
      {groups.map((before) => (
        <td key={before} style={{ padding: "0 10px 0 0" }}>
          <Group count={Math.min(5, Math.max(0, count - before))} />
        </td>
      ))}
    </Table>
  );
}

const height = 21;
const thickness = 3;

/**
 * With the measures of the app's `Tally`: the height at which the fifth stroke passes each column of a group. In every
 * second of the first eight stands an upright stroke.
 */
const slope = [16, 15, 13, 12, 10, 9, 7, 6, 4, 3];

type Filling = "stroke" | "faint" | "accent" | null;

function Group({ count }: { count: number }) {
  return (
    <Table isHidden>
      {slope.map((fifth, place) => {
        const width = place === 0 ? 1 : 3;
        const isUpright = place % 2 === 1 && place < 8;
        const around: Filling = isUpright ? (place < 2 * count ? "stroke" : "faint") : null;
        // A stroke that is there is not cut by one that is not.
        const slash: Filling = count >= 5 ? "accent" : around === "stroke" ? "stroke" : "faint";
        return (
          <td key={fifth}>
            <Rows>
              <tr>
                <Cell width={width} height={fifth} filling={around} />
              </tr>
              <tr>
                <Cell width={width} height={thickness} filling={slash} />
              </tr>
              <tr>
                <Cell width={width} height={height - fifth - thickness} filling={around} />
              </tr>
            </Rows>
          </td>
        );
      })}
    </Table>
  );
}

/** A piece of a column. */
function Cell({ filling, ...its }: { width: number; height: number; filling: Filling }) {
  if (filling === null) return <td {...its} style={empty} />;
  if (filling !== "accent") return <Tinted tint={filling} {...its} style={empty} />;
  return <td {...its} style={{ backgroundColor: accent, ...empty }} />;
}
