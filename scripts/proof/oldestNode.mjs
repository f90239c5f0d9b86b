/** The oldest Node that the installed command needs, from npm. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../setup.mjs';

/** The last release of the oldest line in `engines` of package.json. */
const OLDEST = '22.23.3';

/** Resolves to the path of its program. */
export async function oldestNode(folder) {
  const prefix = join(folder, 'node22');
  mkdirSync(prefix, { recursive: true });
  writeFileSync(join(prefix, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }));
  const code = await run('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', `node@${OLDEST}`]);
  if (code !== 0) throw new Error(`npm install node@${OLDEST} ended with ${code}: see above.`);
  return join(prefix, 'node_modules', 'node', 'bin', 'node');
}
