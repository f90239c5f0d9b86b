/** A process that keeps the machine awake by a program of the PATH until it is killed. */
import { KEEP_AWAKE } from '../../../src/adapters/platform/keepAwake.ts';
import { keepAwake } from '../../../src/adapters/shell/keepAwake.ts';

const { linux } = KEEP_AWAKE;
const program: typeof linux = { ...linux, start: (env, find) => linux.start(env, find, () => true) };
keepAwake({ environment: process.env, outside: [], program }, (thrown) => {
  throw thrown;
});
