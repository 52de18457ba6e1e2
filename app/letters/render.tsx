import { renderToStaticMarkup } from "react-dom/server";
import type { MailBody } from "~/outbox/letter";
import { paragraph } from "./blocks";
import { MailDocument } from "./document";
import { footer } from "./footer";
import type { MailContent, MailFrame } from "./mail";
import { greeting, oneLine } from "./wording";

/**
 * Renders a mail twice, for clients that show HTML and for clients that show text. Neither version
 * loads anything when it is opened (no images, fonts or scripts), so opening it cannot be tracked.
 */
export function renderMail(content: MailContent, frame: MailFrame): MailBody {
  const blocks = [paragraph(...greeting(content.name)), ...content.blocks];
  const foot = footer(content, frame);
  const page = (
    <MailDocument
      subject={content.subject}
      preview={content.preview}
      blocks={blocks}
      footer={foot.html}
      appOrigin={frame.appOrigin}
    />
  );
  return {
    subject: oneLine(content.subject),
    html: `<!doctype html>${renderToStaticMarkup(page)}`,
    text: [...blocks.map(({ text }) => text).filter(Boolean), "-----", foot.text, ""].join("\n\n"),
  };
}
