/**
 * `npm run package`: builds the extension and packs it into autonomous.vsix, of at most 3 MB. Packed from a folder of its own:
 * vsce takes `files` of package.json for its own list, and there it is npm's.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localized } from './l10n/manifest.mjs';
import { ensurePackages, main, node24, root, run } from './setup.mjs';

const MAX_BYTES = 3 * 1024 * 1024;
const CONTENTS = ['dist', 'media', 'l10n', 'README.md', 'CHANGELOG.md', 'LICENSE', 'NOTICE'];
/** Of no use to the editor. */
const LEFT_OUT = /\.map$|[\\/]l10n[\\/]manifest\.|[\\/]dist[\\/]cli\.js$/;
const NOT_THE_EDITORS = ['files', 'bin', 'scripts', 'dependencies', 'devDependencies', 'allowScripts'];

function stage(folder) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of NOT_THE_EDITORS) delete manifest[name];
  const german = JSON.parse(readFileSync(join(root, 'l10n', 'manifest.de.json'), 'utf8'));
  const texts = localized(manifest, german);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(texts.manifest));
  writeFileSync(join(folder, 'package.nls.json'), JSON.stringify(texts.english));
  writeFileSync(join(folder, 'package.nls.de.json'), JSON.stringify(texts.translated));
  for (const name of CONTENTS) {
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
  }
}

await main(async () => {
  await ensurePackages();
  const built = await run(node24, ['esbuild.mjs', '--minify']);
  if (built !== 0) return built;
  const file = join(root, 'autonomous.vsix');
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-vsix-'));
  try {
    stage(folder);
    const { createVSIX } = await import('@vscode/vsce');
    const links = { rewriteRelativeLinks: false, allowMissingRepository: true };
    await createVSIX({ cwd: folder, packagePath: file, dependencies: false, ...links });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const { size } = statSync(file);
  console.log(`autonomous.vsix  ${Math.round(size / 1024)} kB`);
  if (size <= MAX_BYTES) return 0;
  console.error(`the package is larger than ${MAX_BYTES / 1024 / 1024} MB`);
  return 1;
});
