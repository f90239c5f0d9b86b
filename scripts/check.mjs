/** `npm run check`: runs the checks that take seconds: format, lint, types, unused code, the lock file, the architecture and the wording. */
import { cleanEnv, ensurePackages, main } from './setup.mjs';
import { runSteps } from './test/runSteps.mjs';
import { ARCHITECTURE, STATIC } from './test/steps.mjs';

await main(async () => {
  await ensurePackages();
  const ended = await runSteps([...STATIC, ARCHITECTURE], { env: cleanEnv().tools });
  return ended.every(({ status }) => status === 'passed') ? 0 : 1;
});
