/** Runs asynchronous work one after the other. */

/** A function that starts each work after all earlier ones have ended. One that fails does not stop the later ones. */
export function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
