/** The block of a rating mail that reports the fifth rating of a submission. */

import type { Score } from "~/exchange/rating/scale";
import { isLiked, opinionWords } from "~/results/opinions";
import type { Block } from "./mail";
import { tinted } from "./palette";

/** A song's result (rule 29), from the ratings that its owner may see. */
export interface MailResult {
  /** In no order of arrival. */
  scores: Score[];
  /** e.g. "3 of 5 liked it." */
  sentences: string[];
}

/** A dot for each label, as letters: mails have no pictures. */
const dots: Record<Score, string> = { 1: "○", 2: "◐", 3: "●", 4: "⊕" };

/** The sentences, and one dot for each rating, from worst to best. */
export function result({ scores, sentences }: MailResult): Block {
  const sorted = scores.toSorted((a, b) => a - b);
  const words = opinionWords(scores);
  const soft = tinted("soft");
  const html = (
    <>
      <p style={{ margin: "0 0 4px", fontSize: 20, fontWeight: 700 }}>{sentences[0]}</p>
      <p
        aria-hidden="true"
        style={{ margin: "0 0 4px", fontSize: 28, lineHeight: 1.3, letterSpacing: 4 }}
      >
        <span {...soft}>{glyphs(sorted.filter((score) => !isLiked(score)))}</span>
        {glyphs(sorted.filter(isLiked))}
      </p>
      <p className={soft.className} style={{ ...soft.style, margin: "0 0 16px", fontSize: 15 }}>
        {words}
      </p>
      {sentences.slice(1).map((sentence) => (
        <p key={sentence} style={{ margin: "0 0 16px" }}>
          {sentence}
        </p>
      ))}
    </>
  );
  const [first = "", ...others] = sentences;
  return { html, text: [first, glyphs(sorted), words, ...others].join("\n") };
}

function glyphs(scores: Score[]): string {
  return scores.map((score) => dots[score]).join("");
}
