/** Sizes of what is released: the extension before its lazy parts, the page, the package if one lies here. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { nodeBundle, ROOTS, webviewBundle } from '../esbuild.mjs';
import { root } from '../scripts/setup.mjs';
import { eagerPart } from '../test/support/suite/bundleSize.ts';
import { type Cell, show } from './table.ts';

const kB = (bytes: number): number => Math.ceil(bytes / 1000);

function row(what: string, figure: number, target?: number): readonly Cell[] {
  return target === undefined
    ? [what, figure, '', '']
    : [what, figure, `<= ${target}`, figure <= target ? 'met' : 'MISSED'];
}

const extension = await build({ ...nodeBundle(ROOTS, 'dist', true), write: false });
const page = await build({ ...webviewBundle('dist/webview', true), write: false });
const code = Object.entries(page.metafile.outputs).filter(([path]) => /\.(js|css)$/.test(path));
const packed = join(root, 'autonomous.vsix');
show(
  'Released sizes, kB',
  ['what', 'figure', 'target', ''],
  [
    row('the extension before its lazy parts', kB(eagerPart(extension.metafile, 'src/extension.ts').bytes), 150),
    row('the page, code and styles', kB(code.reduce((sum, [, { bytes }]) => sum + bytes, 0)), 600),
    row('  before its lazy parts', kB(eagerPart(page.metafile, 'webview-ui/src/main.tsx').bytes)),
    existsSync(packed)
      ? row('autonomous.vsix', kB(statSync(packed).size), 3_000)
      : ['autonomous.vsix', 'none: npm run package', '', ''],
  ],
);
