/** Everything that is stored about a user, as a JSON file to keep. */
export function fileOfAccount(everything: object): Response {
  return new Response(`${JSON.stringify(everything, null, 2)}\n`, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="fivefold-account.json"',
    },
  });
}
