import type { tinted } from "./palette";

/** A table of one row, for layout: mail clients agree on little else. */
export function Table({
  width,
  margin,
  tints = { className: undefined, style: {} },
  children,
}: {
  width?: string;
  margin?: string;
  tints?: { className: string | undefined; style: ReturnType<typeof tinted>["style"] };
  children: JSX.Element | (JSX.Element | null)[];
}) {
  return (
    <table
      role="presentation"
      width={width}
      cellPadding={0}
      cellSpacing={0}
      border={0}
      className={tints.className}
      style={{ ...tints.style, margin }}
    >
      <tbody>
        <tr>{children}</tr>
      </tbody>
    </table>
  );
}
