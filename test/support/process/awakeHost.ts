/** A process that keeps the machine awake by a program of the PATH until it is killed. */
import { LINUX } from '../../../src/adapters/platform/linux.ts';
import { keepAwake } from '../../../src/adapters/shell/keepAwake.ts';

const { start } = LINUX.keepAwake;
const system = {
  ...LINUX,
  keepAwake: { ...LINUX.keepAwake, start: (...[env, find]: Parameters<typeof start>) => start(env, find, () => true) },
};
keepAwake({ environment: process.env, outside: [], system }, (thrown) => {
  throw thrown;
});
