/** Folders of an agent's programs: none that holds a closed folder, however a file system spells it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { agentMachine } from '../../../../../src/adapters/shell/session/agentMachine.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'am-')));
  mkdirSync(join(root, 'Tools', 'bin'), { recursive: true });
  writeFileSync(join(root, 'Tools', 'agent'), '');
  writeFileSync(join(root, 'Tools', 'bin', 'agent'), '');
  symlinkSync(join(root, 'Tools'), join(root, 'way'));
});
afterEach(() => rmSync(root, { recursive: true }));

test.each(['Tools/repo', 'TOOLS/repo', 'tools. /repo', 'way/repo'])('around %s', (closed) => {
  const found = ['agent', 'bin/agent'].map((file) => join(root, 'Tools', file));
  expect(agentMachine.installations(found, [join(root, closed)])).toEqual([join(root, 'Tools', 'bin')]);
});
