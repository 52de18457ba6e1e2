import type { ReasonCounts } from "~/domain/rating/reasons";
import { counted } from "~/platform/text";
import { countByLabel } from "./opinions";
import type { SubmissionResult } from "./song-result";

/** What the file says of a song. */
export interface CsvSong {
  title: string;
  artists: string[];
  hidden: number;
  result: { submissions: SubmissionResult[]; reasons: ReasonCounts | null };
}

/**
 * A song's result as CSV (RFC 4180): a line for each submission and label, so that nothing tells in
 * which order ratings came, nor when; and one for each reason that three ratings or more give. Of hidden
 * ratings it says only how many there are.
 */
export function resultCsv({ title, artists, hidden, result }: CsvSong): string {
  const rows = result.submissions.flatMap(({ number, submittedAt, scores }) =>
    countByLabel(scores).map(({ label, count }) => [
      title,
      artists.join(", "),
      String(number),
      new Date(submittedAt).toISOString().slice(0, 10),
      label,
      String(count),
    ]),
  );
  const reasons = (result.reasons?.aspects ?? []).flatMap(({ aspect, liked, improve }) =>
    Object.entries({ Liked: liked, "Could be better": improve }).flatMap(([side, count]) =>
      count === null
        ? []
        : [[title, artists.join(", "), "", "", `${side}: ${aspect}`, String(count)]],
    ),
  );
  const rest = hidden > 0 ? [[`${counted(hidden, "more rating")}, which only Premium shows`]] : [];
  return [
    ["Song", "Artists", "Submission", "Submitted on", "Rating", "Times"],
    ...rows,
    ...reasons,
    ...rest,
  ]
    .map((row) => `${row.map(field).join(",")}\r\n`)
    .join("");
}

/** Where a spreadsheet would begin a formula: some programs also split a quoted field at semicolons. */
const formulaStart = /(^|[;\t\r\n])(?=\s*[=+\-@＝＋－＠])|^(?=[\t\r])/g;

/** A text as a field. What a spreadsheet would take for a formula gets an apostrophe before it. */
function field(text: string): string {
  const plain = text.replace(formulaStart, "$1'");
  return `"${plain.replaceAll('"', '""')}"`;
}
