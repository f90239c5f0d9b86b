/**
 * `node scripts/screenshots.mjs`: takes the README's pictures in a real VS Code, with the packaged extension, and stores them in media/screenshots/.
 * `--from=FOLDER` copies pictures that `test/editor/run.ts --screenshots=FOLDER` took.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePackages, installOnDebian, main, onPath, root, run } from './setup.mjs';

const TARGET = join(root, 'media', 'screenshots');
/** The pictures of the suite that the documents show. */
const SHOWN = [
  'board-dark',
  'board-light',
  'board-hc',
  'sidebar',
  'costs',
  'walkthrough',
  'plan',
  'lanes',
  'timeline',
  'notification',
  'review',
  'conversations',
  'crashed',
  'task',
  'side-by-side',
];
const MAX_BYTES = 250 * 1000;
/** 256 colours: half the bytes, and no difference that an eye sees. The first picture is in the package. */
const FEWER_COLOURS = ['--force', '--skip-if-larger', '--speed', '1', '--strip', '--ext', '.png', '--nofs', '32', '--'];
/** The tests that take them. */
const SHOOTING = ['pictures for readers', 'the walkthrough leads to a merged result', 'a crash of one project'];

function shoot(folder) {
  return run('node', ['test/editor/run.ts', `--screenshots=${folder}`, ...SHOOTING.map((only) => `--only=${only}`)]);
}

/** How many are too large to be looked at on a slow line. */
function publish(folder) {
  mkdirSync(TARGET, { recursive: true });
  let tooLarge = 0;
  for (const name of SHOWN) {
    const file = join(TARGET, `${name}.png`);
    copyFileSync(join(folder, `${name}.png`), file);
    const { status } = spawnSync('pngquant', [...FEWER_COLOURS, file], { stdio: 'inherit' });
    // 98: the picture has few colours already.
    if (status !== 0 && status !== 98) throw new Error(`pngquant failed on ${name}.png`);
    const { size } = statSync(file);
    if (size > MAX_BYTES) tooLarge += 1;
    console.log(`${name}.png  ${Math.round(size / 1000)} kB${size > MAX_BYTES ? ', too large' : ''}`);
  }
  return tooLarge;
}

await main(async () => {
  await ensurePackages();
  if (!onPath('pngquant')) await installOnDebian(['pngquant']);
  const { values } = parseArgs({ options: { from: { type: 'string' } } });
  if (values.from !== undefined) return publish(values.from) === 0 ? 0 : 1;
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-pictures-'));
  try {
    const code = await shoot(folder);
    return code !== 0 ? code : publish(folder) === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
