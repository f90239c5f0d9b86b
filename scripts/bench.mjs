/** `npm run bench`: runs every bench/*.bench.ts on Node 24, or only those whose name contains a given word. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePackages, main, node24, root, run } from './setup.mjs';

await main(async () => {
  await ensurePackages();
  const folder = join(root, 'bench');
  const words = process.argv.slice(2);
  const files = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((file) => file.endsWith('.bench.ts') && (words.length === 0 || words.some((word) => file.includes(word))))
    .sort();
  if (files.length === 0) console.log('no benchmark of that name in bench/');
  let worst = 0;
  for (const file of files) {
    console.log(`\n=== ${file}`);
    worst ||= await run(node24, ['--expose-gc', join(folder, file)]);
  }
  return worst;
});
