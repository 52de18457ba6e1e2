import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";
import { sealEntered } from "~/http/entered-address.server";
import {
  jsonOrRedirect,
  leadTo,
  requireAccepted,
  requireFields,
  requireFreshLogin,
  requireViewer,
} from "~/http/require.server";
import type { RouteHandle } from "~/http/route-handle";
import { requestConfirmation } from "~/members/address.server";
import { readMailAddress } from "~/members/mail-address";

export const handle: RouteHandle = {
  rateLimits: { POST: [{ limiter: "LIMIT_STRICT", per: "session" }] },
};

export const loader = leadTo("/account");

const addressFields = z.object({ address: z.string() });

/**
 * Mails a link to `address`, by which the user confirms it as their own. Requires a login within the last
 * hour, after which the form shows the address again.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer({ request, context });
  const page = { viewer, back: { label: "Back to my account", href: "/account" } };
  const error = "Please enter an e-mail address.";
  const fields = await requireFields(request, addressFields, { error, ...page });
  const address = requireAccepted(request, readMailAddress(fields.address), page);
  const { db, config, mailQueue } = context;
  const entered = await sealEntered(config.tokenKey, viewer.userId, address);
  const again = `/account?again=address&entered=${entered}#new-address`;
  await requireFreshLogin({ request, context }, viewer, again);

  const services = { secret: config.sessionSecret, mailQueue, now: context.now() };
  requireAccepted(request, await requestConfirmation(db, viewer.userId, address, services), page);
  return jsonOrRedirect(request, { json: { ok: true, address }, to: "/account" });
}
