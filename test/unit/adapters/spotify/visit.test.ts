/** What the Worker asks of Spotify is as the Web API's description says. */
import { expect, it } from "vitest";
import { contractPath, loadContract, validateRequest } from "../../../support/spotify/contract.ts";
import { apiRequests } from "../../../support/spotify/requests.ts";

const contract = loadContract();
if (!contract) console.warn(`skipped: no contract at ${contractPath()} (set SPOTIFY_CONTRACT)`);

it.skipIf(!contract).each(apiRequests)("$method $path", (request) => {
  expect(contract && validateRequest(contract, request)).toEqual([]);
});
