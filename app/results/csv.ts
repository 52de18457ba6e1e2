import type { ReasonCounts } from "~/exchange/rating/reasons";
import { dayOf } from "~/platform/dates";
import { counted } from "~/platform/text";
import { countByLabel } from "./opinions";
import type { SubmissionResult } from "./song-result";

export interface CsvSong {
  title: string;
  artists: string[];
  hidden: number;
  result: { submissions: SubmissionResult[]; reasons: ReasonCounts | null };
}

/**
 * RFC 4180. A line for each submission and label, so that neither order nor times of the ratings can be told,
 * and one for each reason that three ratings give. Hidden ratings are only counted.
 */
export function resultCsv({ title, artists, hidden, result }: CsvSong): string {
  const rows = result.submissions.flatMap(({ number, submittedAt, scores }) =>
    countByLabel(scores).map(({ label, count }) => [
      title,
      artists.join(", "),
      String(number),
      dayOf(submittedAt),
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

/** Where a spreadsheet would start a formula. Some programs split a quoted field at semicolons too. */
const formulaStart = /(^|[;\t\r\n])(?=\s*[=+\-@＝＋－＠])|^(?=[\t\r])/g;

function field(text: string): string {
  const plain = text.replace(formulaStart, "$1'");
  return `"${plain.replaceAll('"', '""')}"`;
}
