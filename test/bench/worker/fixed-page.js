/** Always returns the page in `PAGE` with the headers in `HEADERS`, a JSON object. */
export default {
  fetch: (_request, { PAGE, HEADERS }) => new Response(PAGE, { headers: JSON.parse(HEADERS) }),
};
