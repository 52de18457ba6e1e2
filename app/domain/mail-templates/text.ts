import { webUrl } from "./links";
import type { Block, MailContent, MailFooter, MailSong, Run } from "./mail";
import { greeting, oneLine } from "./wording";

/** A mail as plain text: a part a paragraph, every address alone on its line. */
export function textOf({ name, blocks }: MailContent, footer: MailFooter): string {
  const { why, credit, links, operator, contactEmail } = footer;
  return [
    sentence(greeting(name)),
    ...blocks.map(blockText),
    "-----",
    why,
    ...links.map(({ label, url }) => leading(label, url)),
    ...(credit ? ["Song info comes from Spotify."] : []),
    ["Fivefold", operator, contactEmail].filter(Boolean).join("\n"),
    "",
  ].join("\n\n");
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "heading":
      return block.text;
    case "paragraph":
      return sentence(block.runs);
    case "labels":
      return block.labels.map((label) => `  * ${label}`).join("\n");
    case "song":
      return songText(block.song);
    case "tally":
      return block.text;
    case "button":
    case "address":
      return leading(block.label, block.url);
    case "lock":
      return `${block.strong}\n${block.rest}\n\n${leading(block.label, block.url)}`;
    case "divider":
      return "-----";
  }
}

function sentence(runs: Run[]): string {
  return runs.map((run) => (typeof run === "string" ? run : oneLine(run.own))).join("");
}

function songText({ title, artists, spotifyUrl }: MailSong): string {
  const lines = [oneLine(title), oneLine(artists.join(", ")), webUrl(spotifyUrl) ?? ""];
  return lines.filter(Boolean).join("\n");
}

function leading(label: string, url: string): string {
  return `${label}:\n${webUrl(url) ?? ""}`;
}
