/** `npm run pack:check`: packs the package, installs it in an empty folder, and runs the program in it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NEEDED_IN_BOTH } from './package/contents.mjs';
import { deadLinks } from './package/links.mjs';
import { ensurePackages, main, node24, root } from './setup.mjs';

const NEEDED = [
  ...NEEDED_IN_BOTH,
  'dist/vendor/java-proxy-agent/srt-proxy-agent.jar',
  'dist/vendor/seccomp/x64/apply-seccomp',
  'dist/vendor/seccomp/arm64/apply-seccomp',
];
/** The documents link to the first two; the demo's program has tests. */
const UNWANTED =
  /^(?!src\/README\.md$|src\/vscode\/task\/autonomous\.d\.ts$|dist\/assets\/)(.*\.(map|ts|exe|test\.js)$|(src|test|scripts|bench)\/)/;

const npm = (args, cwd) =>
  execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });

await main(async () => {
  await ensurePackages();
  const folder = mkdtempSync(join(tmpdir(), 'autonomous-pack-'));
  try {
    const output = npm(['pack', '--json', '--loglevel=error', '--pack-destination', folder], root);
    const report = JSON.parse(output.slice(output.search(/^[[{]/m)));
    const [packed] = Array.isArray(report) ? report : Object.values(report);
    const paths = packed.files.map(({ path }) => path);
    const problems = [
      ...NEEDED.filter((path) => !paths.includes(path)).map((path) => `lacks ${path}`),
      ...paths.filter((path) => UNWANTED.test(path)).map((path) => `should not hold ${path}`),
      ...deadLinks(paths, (path) => readFileSync(join(root, path), 'utf8')),
    ];

    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    npm(['install', '--no-audit', '--no-fund', '--loglevel=error', join(folder, packed.filename)], folder);
    const installed = join(folder, 'node_modules', 'autonomous', 'dist');
    const filter = join(installed, 'vendor', 'seccomp', 'x64', 'apply-seccomp');
    if (existsSync(filter) && (statSync(filter).mode & 0o111) === 0) problems.push('apply-seccomp is not executable');
    const version = execFileSync(node24, [join(installed, 'cli.js'), '--version'], { encoding: 'utf8' }).trim();
    if (!version.includes(packed.version))
      problems.push(`--version prints ${version}, the package has ${packed.version}`);

    for (const problem of problems) console.error(`the package ${problem}`);
    console.log(`${packed.filename}: ${paths.length} files, ${Math.round(packed.size / 1024)} kB packed`);
    return problems.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
