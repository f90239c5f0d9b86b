/** `npm run demo`: installs, builds, and runs the built CLI's demo. Arguments after `--` go to it. */
import { join } from 'node:path';
import { ensurePackages, ensureSystem, main, node24, root, run } from './setup.mjs';

await main(async () => {
  await ensurePackages();
  const missing = await ensureSystem();
  if (missing) console.warn(`${missing}\nThe demo runs without a sandbox.\n`);
  const built = await run(node24, ['esbuild.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (built !== 0) return built;
  return run(node24, [join(root, 'dist', 'cli.js'), 'demo', ...process.argv.slice(2)]);
});
