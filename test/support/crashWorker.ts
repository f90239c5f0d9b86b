/** The real worker thread, after a crash point in a session's journal was armed. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
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
if (point?.at === 'thread') {
  const died = existsSync(point.log) ? readFileSync(point.log, 'utf8').length : 0;
  const nth = died === 0 ? point.nth : point.again;
  const due = countdown(nth);
  const end = async (): Promise<void> => {
    if (died >= point.deaths) return;
    appendFileSync(point.log, '.');
    if (point.how === 'exit') process.exit(1);
    setTimeout(() => {
      throw new Error('planted');
    });
    await new Promise(() => undefined);
  };
  if (nth === 0) await end();
  watchAppends('sessions', {
    before: async (text) => {
      if (text.includes('"kind":"results"') && due(1)) await end();
      return null;
    },
  });
}
await import('../../src/worker.ts');
