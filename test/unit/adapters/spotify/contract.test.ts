/** The Worker's requests to Spotify match the description of the Web API. */
import { expect, it } from "vitest";
import { contractPath, loadContract, validateRequest } from "../../../support/spotify/contract.ts";
import { apiRequests } from "../../../support/spotify/requests.ts";

const contract = loadContract();
if (!contract) console.warn(`skipped: no contract at ${contractPath()} (set SPOTIFY_CONTRACT)`);

it.skipIf(!contract).each(apiRequests)("$method $path", (request) => {
  expect(contract && validateRequest(contract, request)).toEqual([]);
});
