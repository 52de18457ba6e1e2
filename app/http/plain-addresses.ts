/**
 * A page that asks Cloudflare to leave the e-mail addresses in its body as they are. A new zone replaces them by
 * "[email protected]" and a script, which no policy here lets in. `Cache-Control: no-transform` would ask for the
 * same, but also for sending the page uncompressed.
 */
export function withPlainAddresses(html: string): string {
  const end = html.lastIndexOf("</body>");
  const opened = html.slice(0, end).replace(/<body[^>]*>/, "$&<!--email_off-->");
  return `${opened}<!--/email_off-->${html.slice(end)}`;
}
