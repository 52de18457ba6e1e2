/** Returns one page, as it was given, with the headers that were given, a JSON object. */
export default {
  fetch: (_request, { PAGE, HEADERS }) => new Response(PAGE, { headers: JSON.parse(HEADERS) }),
};
