/** A fetch that leads every address to a server of a test. */

/** `url` returns the server's origin, once it is known. */
export function leadTo(url: () => string): typeof fetch {
  return (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    return fetch(`${url()}${pathname}${search}`, init);
  };
}
