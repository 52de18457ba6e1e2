/** The page for choosing a musician and agreeing to the scopes. Works without JavaScript. */
import { type Musician, musicians } from "../../catalogue.ts";
import { html, type Markup, page } from "../../html.ts";

export interface ConsentRequest {
  clientId: string;
  redirectUri: string;
  /** Space-separated. */
  scope: string;
  state: string | null;
  showDialog: string | null;
}

/** `chosen` is logged in at Spotify in this browser. */
export function consentPage(request: ConsentRequest, chosen: string | null): Markup {
  const hidden: Record<string, string | null> = {
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    scope: request.scope,
    state: request.state,
    show_dialog: request.showDialog,
  };
  const scopes = request.scope.split(" ").filter(Boolean);
  const demos = musicians.filter((musician) => musician.demo !== null);
  const others = musicians.filter((musician) => musician.demo === null);
  return page(
    "Sign in",
    html`<h1>Sign in as one of these musicians</h1>
<p class="quiet">The app <strong>${request.clientId}</strong> asks for access to your account.</p>
<form method="post" action="/spotify/accounts/authorize">
${Object.entries(hidden).map(([name, value]) =>
  value === null ? "" : html`<input type="hidden" name="${name}" value="${value}">`,
)}
<fieldset style="border:0;margin:0;padding:0">
<legend class="quiet">Who are you?</legend>
<h2>Demo users, one for each case</h2>
<ul class="list">${demos.map((musician, index) =>
      choice(musician, chosen === null ? index === 0 : musician.id === chosen),
    )}</ul>
<h2>Musicians</h2>
<ul class="list">${others.map((musician) => choice(musician, musician.id === chosen))}</ul>
</fieldset>
<h2>The app will be able to</h2>
<ul>${scopes.map((scope) => html`<li>${scope}</li>`)}</ul>
<div class="bar">
<button type="submit" name="decision" value="agree">Agree</button>
<button type="submit" name="decision" value="deny" class="plain">Cancel</button>
</div>
</form>`,
  );
}

function choice(musician: Musician, checked: boolean): Markup {
  const note = `note-${musician.id}`;
  return html`<li><label class="row">
<input type="radio" name="musician" value="${musician.id}" aria-label="${musician.displayName}"
 aria-describedby="${note}" ${checked ? "checked" : ""}>
<img src="/spotify/images/user-${musician.id}-64" alt="" width="40" height="40" loading="lazy">
<span>${musician.displayName}<small id="${note}">${musician.demo ?? musician.id}</small></span>
</label></li>`;
}

export function refusalPage(): Markup {
  return page("Error", html`<h1>Error</h1><p class="bad">Invalid client or redirect URI</p>`);
}
