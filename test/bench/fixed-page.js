/** Returns one page, as it was given. */
export default {
  fetch: (_request, { PAGE }) =>
    new Response(PAGE, { headers: { "Content-Type": "text/html; charset=utf-8" } }),
};
