/** One function of `node:fs/promises`, replaced for everything that imports it. */
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

type Promises = typeof promises;

/** Until it is disposed of. `instead` receives the function itself to call. */
export function replacedCall<Name extends keyof Promises>(
  name: Name,
  instead: (real: Promises[Name]) => Promises[Name],
): Disposable {
  const real = promises[name];
  const put = (one: Promises[Name]): void => {
    Object.assign(promises, { [name]: one });
    syncBuiltinESMExports();
  };
  put(instead(real));
  return { [Symbol.dispose]: () => put(real) };
}
