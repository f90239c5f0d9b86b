/** The real worker thread, after a crash point in a session's journal was armed. */
import { countdown, crashPoint, die, watchAppends } from './crashPoint.ts';

const point = crashPoint();
if (point?.at === 'journal') {
  const due = countdown(point.nth);
  watchAppends('sessions', {
    before: async (text) => (point.torn && due(1) ? Math.floor(text.length / 2) : null),
    after: async () => {
      if (!point.torn && due(1)) await die();
    },
  });
}
await import('../../src/worker.ts');
