import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyAssets, nodeBundle } from '../../../esbuild.mjs';

/** Two tiny programs with the libraries that are hard to bundle, made with the options of the real bundles. */
const SANDBOX = `
  import { getApplySeccompBinaryPath } from '../../@anthropic-ai/sandbox-runtime/dist/sandbox/generate-seccomp-filter.js';
  export const seccomp = () => getApplySeccompBinaryPath();
`;
const FIRST = `
  import initSqlJs from 'sql.js';
  const SQL = await initSqlJs({ locateFile: (file: string) => new URL(file, import.meta.url).pathname });
  const rows = new SQL.Database().exec('select 6 * 7');
  const { seccomp } = await import('./sandbox.ts');
  const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime');
  console.log(JSON.stringify({ rows, seccomp: seccomp(), sandbox: typeof SandboxManager.wrapWithSandbox }));
`;
const SECOND = `
  import ws from 'ws';
  import { simpleGit } from 'simple-git';
  const { seccomp } = await import('./sandbox.ts');
  console.log(JSON.stringify([typeof ws, typeof simpleGit, typeof seccomp]));
`;

const root = fileURLToPath(new URL('../../..', import.meta.url));
let folder: string;
let dist: string;

const runBundle = (name: string) =>
  JSON.parse(execFileSync(process.execPath, [join(dist, name)], { encoding: 'utf8' }));

describe('the options of the bundles', () => {
  beforeAll(async () => {
    // Inside node_modules, so that packages resolve as they do for src/ and no tool looks at it.
    const cache = join(root, 'node_modules', '.cache');
    mkdirSync(cache, { recursive: true });
    folder = mkdtempSync(join(cache, 'bundle-'));
    dist = join(folder, 'out');
    const sources = {
      'sandbox.ts': SANDBOX,
      'first.ts': FIRST,
      'second.ts': SECOND,
    };
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
    await build(nodeBundle([join(folder, 'first.ts'), join(folder, 'second.ts')], dist));
    await copyAssets(dist);
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('let sql.js and the sandbox find their files beside the bundle', () => {
    const said = runBundle('first.js');
    expect(said.rows[0].values).toEqual([[42]]);
    expect(said.sandbox).toBe('function');
    if (process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)) {
      expect(said.seccomp).toBe(join(dist, 'vendor', 'seccomp', process.arch, 'apply-seccomp'));
      expect(existsSync(said.seccomp)).toBe(true);
    }
  });

  it('let CommonJS packages run in an ES module, and share chunks', () => {
    expect(runBundle('second.js')).toEqual(['function', 'function', 'function']);
  });
});
