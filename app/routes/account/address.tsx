import { ButtonForm } from "~/components/form/button-form";
import { addressEntry, EntryForm } from "~/components/form/entry-form";
import { usePost } from "~/components/form/use-post";
import { Notice } from "~/components/notice";
import type { AccountEmail } from "~/mailing/email-preferences";
import type { WaysView } from "~/members/views";

export function AccountAddress({
  mail: { address, own, spotifyAddress, waiting, waitingBounced },
  ways: { spotify, spotifyOpen },
  again,
  entered,
}: {
  mail: AccountEmail;
  ways: WaysView;
  again: string | null;
  entered: string | null;
}) {
  const removable = own && spotify !== null && spotifyOpen;
  const toBeConfirmed = address !== null && !own && !waiting;
  return (
    <>
      <CurrentAddress
        address={address}
        own={own}
        removable={removable}
        spotifyAddress={spotifyAddress}
      />
      {removable && again === "removal" ? <AgainNotice /> : null}
      {removable ? (
        <ButtonForm action="/account/email/remove" to="/account">
          Remove my address
        </ButtonForm>
      ) : null}
      {toBeConfirmed ? (
        <ButtonForm action="/account/email" fields={{ address }} to="/account" accented>
          Confirm this address
        </ButtonForm>
      ) : null}
      {waiting ? (
        <>
          {waitingBounced ? (
            <Notice tone="error">
              Our e-mail to <bdi>{waiting}</bdi> came back. Is it spelled right? Enter it again, or
              another one.
            </Notice>
          ) : (
            <Notice tone="info">
              We have sent a link to <bdi>{waiting}</bdi>. Open it within 24 hours to confirm that
              the address is yours. Nothing changes until then.
            </Notice>
          )}
          <ButtonForm action="/account/email/remove" fields={{ waiting: "1" }} to="/account">
            Forget this address
          </ButtonForm>
        </>
      ) : null}
      {again === "address" ? <AgainNotice /> : null}
      {/* The field is empty again once a link has been sent. */}
      <AddressForm
        key={waiting}
        label={address ? "Another address" : "E-mail address"}
        accented={address === null}
        entered={entered}
      />
    </>
  );
}

function CurrentAddress({
  address,
  own,
  removable,
  spotifyAddress,
}: Pick<AccountEmail, "address" | "own" | "spotifyAddress"> & { removable: boolean }) {
  if (!address) {
    return (
      <p>
        Spotify has given us no address that we can use, so we cannot send you any e-mails yet. Add
        an address to hear about new ratings.
      </p>
    );
  }
  return (
    <>
      <p>
        <strong>
          <bdi>{address}</bdi>
        </strong>{" "}
        <span className="badge">{own ? "confirmed" : "from Spotify, unconfirmed"}</span>
      </p>
      <p className="quiet">
        <span>Your e-mails go to this address. </span>
        {!own ? (
          <span>Confirm it, so that we know they reach you, or use another one.</span>
        ) : !removable ? (
          <span>
            You log in with it, so it cannot be removed. You can change it: confirm another one.
          </span>
        ) : spotifyAddress ? (
          <span>
            If you remove it, they go to the address of your Spotify account,{" "}
            <bdi>{spotifyAddress}</bdi>.
          </span>
        ) : (
          <span>
            If you remove it, we cannot write to you, because Spotify has given us no address that
            we can use.
          </span>
        )}
      </p>
    </>
  );
}

function AddressForm({
  label,
  entered,
  accented,
}: {
  label: string;
  entered: string | null;
  accented: boolean;
}) {
  const { busy, error, onSubmit } = usePost(() => "/account");
  return (
    <EntryForm
      id="new-address"
      name="address"
      {...addressEntry}
      defaultValue={entered ?? undefined}
      label={label}
      post={{ action: "/account/email", onSubmit }}
      press="Send me a confirmation link"
      plain={!accented}
      busy={busy}
      error={error}
    />
  );
}

export function AgainNotice() {
  return (
    <Notice tone="info">
      Thank you for logging in again. Nothing has changed yet: press the button once more.
    </Notice>
  );
}
