/** The real worker thread, after its own death was planned. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { countdown, crashPoint, watchAppends } from './crashPoint.ts';
import { freezeWorker } from './freezePoint.ts';

const point = crashPoint();
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
    },
  });
}
freezeWorker();
await import('../../../src/worker.ts');
