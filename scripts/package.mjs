/**
 * `npm run package`: builds the extension and packs it for this machine into autonomous.vsix. `-- --target=NAME` packs it for another
 * system into autonomous-NAME.vsix, `-- --all=FOLDER` for each into its own file of the folder. Packs from a separate folder: vsce reads
 * `files` of package.json as its list, and in this repository it is npm's.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { localized } from './l10n/manifest.mjs';
import { contentFaults } from './package/contents.mjs';
import { deadLinks } from './package/links.mjs';
import { reachable } from './package/reachable.mjs';
import { packagedReadme } from './package/readme.mjs';
import { canPack, leftOutOf, ownTarget, TARGETS } from './package/targets.mjs';
import { ensurePackages, main, node24, root, run } from './setup.mjs';

const MAX_BYTES = 3 * 1024 * 1024;
const CONTENTS = ['dist', 'media', 'l10n', 'LICENSE', 'NOTICE'];
/** The editor shows these pages without the files that they link to. */
const PAGES = ['README.md', 'CHANGELOG.md'];
/** Not used by the editor. The pictures are for the README. */
const LEFT_OUT = /\.map$|[\\/]l10n[\\/]manifest\.|[\\/]media[\\/]screenshots$/;
/** Entries of the extension: itself, the threads of projects, and the terminal program as MCP server. */
const ENTRIES = ['extension.js', 'worker.js', 'cli.js'];
const NOT_THE_EDITORS = ['files', 'bin', 'scripts', 'dependencies', 'devDependencies', 'allowScripts'];

function stage(folder, target) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const name of NOT_THE_EDITORS) delete manifest[name];
  const german = JSON.parse(readFileSync(join(root, 'l10n', 'manifest.de.json'), 'utf8'));
  const texts = localized(manifest, german);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(texts.manifest));
  writeFileSync(join(folder, 'package.nls.json'), JSON.stringify(texts.english));
  writeFileSync(join(folder, 'package.nls.de.json'), JSON.stringify(texts.translated));
  cpSync(join(root, 'src', 'vscode', 'task', 'autonomous.d.ts'), join(folder, 'autonomous.d.ts'));
  for (const name of PAGES) {
    const page = readFileSync(join(root, name), 'utf8');
    writeFileSync(
      join(folder, name),
      packagedReadme(page, (path) => readFileSync(join(root, path))),
    );
  }
  const dist = join(root, 'dist');
  const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : null);
  const loaded = reachable(ENTRIES, (name) => textOf(join(dist, name)));
  const foreign = leftOutOf(target);
  const wanted = (path) =>
    !LEFT_OUT.test(path) &&
    !foreign.includes(relative(root, path).split(sep).join('/')) &&
    (dirname(path) !== dist || !path.endsWith('.js') || loaded.has(basename(path)));
  for (const name of CONTENTS) cpSync(join(root, name), join(folder, name), { recursive: true, filter: wanted });
}

/** Returns whether the package is as it has to be. */
async function pack(target, file) {
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-vsix-'));
  try {
    stage(folder, target);
    // An empty file excludes nothing, but vsce warns if the file is missing.
    writeFileSync(join(folder, '.vscodeignore'), '');
    const { createVSIX, listFiles } = await import('@vscode/vsce');
    const paths = await listFiles({ cwd: folder, dependencies: false });
    const text = (path) => readFileSync(join(folder, path), 'utf8');
    const faults = [...contentFaults(paths, target), ...deadLinks(paths, text)];
    for (const fault of faults) console.error(`the package for ${target} ${fault}`);
    if (faults.length > 0) return false;
    const links = { rewriteRelativeLinks: false, allowMissingRepository: true };
    await createVSIX({ cwd: folder, packagePath: file, target, dependencies: false, ...links });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const { size } = statSync(file);
  console.log(`${basename(file)}  ${target}  ${Math.round(size / 1024)} kB`);
  if (size <= MAX_BYTES) return true;
  console.error(`the package for ${target} is larger than ${MAX_BYTES / 1024 / 1024} MB`);
  return false;
}

/** The targets and the file of each. */
function wantedPackages() {
  const { values } = parseArgs({ options: { target: { type: 'string' }, all: { type: 'string' } } });
  if (values.all === undefined) {
    const target = values.target ?? ownTarget();
    if (!Object.hasOwn(TARGETS, target)) throw new Error(`--target is one of ${Object.keys(TARGETS).join(', ')}`);
    if (!canPack(target)) throw new Error(`the package for ${target} is made on Linux or macOS`);
    const name = values.target === undefined ? 'autonomous.vsix' : `autonomous-${target}.vsix`;
    return [[target, join(root, name)]];
  }
  if (values.all === '') throw new Error('--all=FOLDER names a folder');
  const folder = resolve(values.all);
  mkdirSync(folder, { recursive: true });
  return Object.keys(TARGETS)
    .filter((target) => canPack(target))
    .map((target) => [target, join(folder, `autonomous-${target}.vsix`)]);
}

await main(async () => {
  const packages = wantedPackages();
  await ensurePackages();
  const built = await run(node24, ['esbuild.mjs', '--minify']);
  if (built !== 0) return built;
  let isGood = true;
  for (const [target, file] of packages) isGood = (await pack(target, file)) && isGood;
  return isGood ? 0 : 1;
});
