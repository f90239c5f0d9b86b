/**
 * Bundles the entries into dist/. Flags: --watch, --minify, --programs (without what only the editor needs).
 * extension.js, cli.js and worker.js share chunks, all flat in dist/, so that `new URL('./worker.js', import.meta.url)` and
 * `new URL('./sql-wasm.wasm', import.meta.url)` hold in every one of them. Dynamic imports stay lazy.
 */
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
/** What is built: the programs, and the extension that starts them. */
export const ROOTS = ['src/cli.ts', 'src/worker.ts', 'src/extension.ts'];
const SHEBANG = '#!/usr/bin/env node';

/** What a CommonJS package expects to find, in an ES module. `define` below touches free identifiers only. */
const COMMONJS = [
  "import { createRequire as bundleRequire } from 'node:module';",
  'const require = bundleRequire(import.meta.url);',
].join(' ');

/**
 * The editor provides `vscode`, and nobody else: a chunk that programs share may not ask for it.
 * @type {import('esbuild').Plugin}
 */
const editorsOwn = {
  name: 'editors-own',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ importer }) => {
      const file = relative(root, importer).split(sep).join('/');
      if (/^src\/(?:vscode\/|extension\.ts$)/.test(file)) return { path: 'vscode', external: true };
      return { errors: [{ text: `${file} imports vscode: only src/vscode may` }] };
    });
  },
};

/**
 * zod holds its messages in fifty languages, and ours are in English: 360 kB of the programs less.
 * @type {import('esbuild').Plugin}
 */
const englishOnly = {
  name: 'english-only',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, ({ importer, resolveDir }) =>
      /[\\/]node_modules[\\/]zod[\\/]/.test(importer)
        ? { path: join(resolveDir, '..', 'locales', 'en.js') }
        : undefined,
    );
  },
};

/**
 * The sandbox can inspect TLS with certificates of its own, which Autonomous never asks for: 300 kB of the programs less. A use would throw.
 * @type {import('esbuild').Plugin}
 */
const noCertificates = {
  name: 'no-certificates',
  setup(build) {
    build.onResolve({ filter: /^node-forge$/ }, () => ({ path: 'node-forge', namespace: 'no-certificates' }));
    build.onLoad({ filter: /.*/, namespace: 'no-certificates' }, () => ({
      contents: 'export default { asn1: { Class: {}, Type: {} }, pki: {} };',
    }));
  },
};

/**
 * Options of a Node bundle: ES modules with lazy chunks. Everything is bundled except what is installed beside the package.
 * @param {string[]} entryPoints
 * @param {string} outdir
 * @returns {import('esbuild').BuildOptions & { metafile: true }}
 */
export function nodeBundle(entryPoints, outdir, minify = false) {
  return {
    absWorkingDir: root,
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    chunkNames: '[name]-[hash]',
    banner: { js: COMMONJS },
    define: {
      __dirname: 'import.meta.dirname',
      __filename: 'import.meta.filename',
      AUTONOMOUS_VERSION: JSON.stringify(require('./package.json').version),
    },
    external: ['@vscode/ripgrep'],
    plugins: [editorsOwn, englishOnly, noCertificates],
    minify,
    keepNames: minify,
    sourcemap: 'linked',
    legalComments: 'none', // whole licence texts go to THIRD_PARTY_LICENSES.txt
    metafile: true,
    logLevel: 'warning',
  };
}

/**
 * Of the styles of the icons those that `IconName` names: the page uses one in ten of them.
 * @type {import('esbuild').Plugin}
 */
const usedIcons = {
  name: 'used-icons',
  setup(build) {
    build.onLoad({ filter: /[\\/]codicon\.css$/ }, async ({ path }) => {
      const source = await readFile(join(root, 'webview-ui', 'src', 'ui', 'Icon.tsx'), 'utf8');
      const names = new Set([...source.matchAll(/^ {2}\| '([\w-]+)'/gm)].map(([, name]) => name));
      const css = await readFile(path, 'utf8');
      const used = css.replace(/^\.codicon-([\w-]+):before .*$/gm, (rule, name) => (names.has(name) ? rule : ''));
      return { loader: 'css', contents: used, resolveDir: dirname(path), watchFiles: [path] };
    });
  },
};

/**
 * Options of the webview's page: main.js (an ES module with lazy chunks beside it), main.css and codicon.ttf.
 * @param {string} outdir
 * @returns {import('esbuild').BuildOptions & { metafile: true }}
 */
export function webviewBundle(outdir, minify = false) {
  return {
    absWorkingDir: root,
    entryPoints: { main: 'webview-ui/src/main.tsx' },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'chrome128',
    jsx: 'automatic',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]',
    loader: { '.ttf': 'file' },
    plugins: [usedIcons],
    define: { 'process.env.NODE_ENV': '"production"' },
    minify,
    sourcemap: minify ? false : 'linked',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  };
}

/**
 * A script of webview-ui/dev/, which stands in for VS Code: `fake` is that alone, `page` the whole page for a file on the disk.
 * @param {string} outdir
 * @returns {import('esbuild').BuildOptions & { metafile: true }}
 */
export function webviewStandIn(name, outdir) {
  return {
    ...webviewBundle(outdir),
    entryPoints: { [name]: `webview-ui/dev/${name}.ts` },
    splitting: false,
    format: 'iife',
    loader: { '.ttf': 'dataurl' },
  };
}

/** Folders of assets/ that are read at run time. What else is there is compiled in. */
const READ_ASSETS = ['demo', 'scenarios', 'templates'];

/** Files that code in the bundle reads at run time, relative to itself. The sandbox's Windows programs stay out. */
export async function copyAssets(outdir) {
  await mkdir(outdir, { recursive: true });
  await cp(require.resolve('sql.js/dist/sql-wasm.wasm'), join(outdir, 'sql-wasm.wasm'));
  for (const folder of READ_ASSETS) {
    await cp(join(root, 'assets', folder), join(outdir, 'assets', folder), { recursive: true });
  }
  const vendor = join(root, 'node_modules', '@anthropic-ai', 'sandbox-runtime', 'vendor');
  for (const file of [
    'seccomp/x64/apply-seccomp',
    'seccomp/arm64/apply-seccomp',
    'java-proxy-agent/srt-proxy-agent.jar',
  ]) {
    await cp(join(vendor, file), join(outdir, 'vendor', file));
  }
}

async function writeLicences(metafiles, outdir) {
  const folders = new Set();
  for (const input of metafiles.flatMap((metafile) => Object.keys(metafile.inputs))) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (folder) folders.add(folder);
  }
  const texts = [];
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
    const files = (await readdir(join(root, folder))).filter((file) => /^(licen[cs]e|notice)/i.test(file)).sort();
    const bodies = await Promise.all(files.map((file) => readFile(join(root, folder, file), 'utf8')));
    texts.push([`${name} ${version} (${license})`, ...bodies.map((body) => body.trim())].join('\n\n'));
  }
  await writeFile(join(outdir, 'THIRD_PARTY_LICENSES.txt'), `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
}

async function main(flags) {
  const outdir = join(root, 'dist');
  const minify = flags.includes('--minify');
  const watch = flags.includes('--watch');
  const onlyPrograms = flags.includes('--programs');
  const roots = ROOTS.filter((file) => !onlyPrograms || file !== 'src/extension.ts');
  if (!(await readFile(join(root, 'src/cli.ts'), 'utf8')).startsWith(`${SHEBANG}\n`)) {
    throw new Error(`src/cli.ts must begin with the line ${SHEBANG}`);
  }
  const bundles = [
    nodeBundle(roots, outdir, minify),
    ...(onlyPrograms ? [] : [webviewBundle(join(outdir, 'webview'), minify)]),
    ...(minify || onlyPrograms ? [] : [webviewStandIn('page', join(root, 'webview-ui', 'dist'))]),
  ];

  await rm(outdir, { recursive: true, force: true });
  await copyAssets(outdir);
  if (watch) {
    for (const options of bundles) await (await context({ ...options, logLevel: 'info' })).watch();
    return;
  }
  const metafiles = (await Promise.all(bundles.map((options) => build(options)))).map(({ metafile }) => metafile);
  await writeLicences(metafiles, outdir);
  await chmod(join(outdir, 'cli.js'), 0o755);
  for (const metafile of metafiles) {
    for (const [path, { bytes, entryPoint }] of Object.entries(metafile.outputs)) {
      const shown = relative(root, join(root, path)).split(sep).join('/');
      if (/^(src|webview-ui)\//.test(entryPoint ?? '') && !path.endsWith('.map'))
        console.log(`${shown}  ${Math.round(bytes / 1024)} kB`);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
