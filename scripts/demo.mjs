/**
 * `npm run demo`: installs, builds, and runs the built CLI's demo. With `--editor` the extension's, in VS Code. Other
 * arguments after `--` go to either.
 */
import { join } from 'node:path';
import { ensurePackages, ensureSystem, main, node24, root, run } from './setup.mjs';

await main(async () => {
  await ensurePackages();
  const missing = await ensureSystem();
  if (missing && process.platform === 'linux') console.warn(`${missing}\nThe demo runs without a sandbox.\n`);
  const built = await run(node24, ['esbuild.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (built !== 0) return built;
  const args = process.argv.slice(2);
  if (args.includes('--editor')) return run(node24, [join(root, 'scripts', 'editor-demo.mjs'), ...args]);
  return run(node24, [join(root, 'dist', 'cli.js'), 'demo', ...args]);
});
