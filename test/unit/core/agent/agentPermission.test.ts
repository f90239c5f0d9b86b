import { describe, expect, test } from 'vitest';
import {
  type Asked,
  askedOf,
  type Ground,
  judgePermission,
  optionFor,
} from '../../../../src/core/agent/agentPermission.ts';
import { fc } from '../../../support/suite/property.ts';

const asked = (more: Partial<Asked>): Asked => ({
  kind: 'other',
  title: 'x',
  name: null,
  commands: null,
  paths: [],
  ...more,
});
const run = (...commands: string[]): Asked => asked({ kind: 'execute', commands });
const sandboxed: Ground = {
  sandboxed: true,
  writes: true,
  allowed: [['npm', 'test']],
  below: (path) => (path.startsWith('/home/.autonomous/clone/') ? path.slice(24) : path.startsWith('/') ? null : path),
};
const open: Ground = { ...sandboxed, sandboxed: false };

describe('inside a sandbox', () => {
  test.for([
    [asked({ kind: 'edit', paths: ['a.ts'] }), 'allow'],
    [asked({ kind: 'edit' }), 'allow'],
    [run('rm -rf /'), 'allow'],
    [asked({ kind: 'read', paths: ['a', 'b'] }), 'allow'],
    [asked({ name: 'mcp__autonomous__report' }), 'allow'],
    [asked({ kind: 'switch_mode' }), 'allow'],
    [asked({ kind: 'edit', paths: ['a.ts', '/etc/passwd'] }), 'reject'],
    [asked({ kind: 'read', paths: ['/etc/passwd'] }), 'reject'],
    [asked({ kind: 'delete', paths: ['~/.bashrc'] }), 'reject'],
    [asked({ kind: 'read', paths: ['file:///etc/passwd'] }), 'reject'],
    [asked({ kind: 'edit', paths: ['sub/.GIT/config'] }), 'reject'],
    [asked({ kind: 'move', paths: ['a', '.autonomous/state'] }), 'reject'],
    [asked({ kind: 'edit', paths: ['/home/.autonomous/clone/a.ts'] }), 'allow'],
    [asked({ kind: 'edit', paths: ['/home/.autonomous/clone/.autonomous/x'] }), 'reject'],
    [asked({ kind: 'edit', paths: ['/home/.autonomous/clone/.git/config'] }), 'reject'],
    [asked({ kind: 'fetch' }), 'reject'],
  ] as const)('%o: %s', ([what, ruling]) => {
    expect(judgePermission(what, sandboxed).ruling).toBe(ruling);
  });

  test('a role that only reads changes nothing', () => {
    for (const kind of ['edit', 'delete', 'move']) {
      expect(judgePermission(asked({ kind, paths: ['a'] }), { ...sandboxed, writes: false }).ruling).toBe('reject');
    }
  });
});

describe('without one', () => {
  test.for([
    [run('npm test'), { ruling: 'allow' }],
    [run('npm test', 'npm  test'), { ruling: 'allow' }],
    [run('npm test', 'npm test; rm x'), { ruling: 'ask', commands: ['npm test; rm x'] }],
    [run('make'), { ruling: 'ask', commands: ['make'] }],
    [run("autonomous report done 'All of it.'", 'npm test'), { ruling: 'allow' }],
    [run('autonomous approve 1'), { ruling: 'ask', commands: ['autonomous approve 1'] }],
    [run('autonomous notes; rm x'), { ruling: 'ask', commands: ['autonomous notes; rm x'] }],
    [run('./autonomous notes'), { ruling: 'ask', commands: ['./autonomous notes'] }],
    [asked({ kind: 'execute', title: 'npm test' }), { ruling: 'ask', commands: ['npm test'] }],
    [asked({ kind: 'other', title: 'Deploy' }), { ruling: 'ask', commands: ['Deploy'] }],
    [asked({ kind: 'other', title: ' ' }), { ruling: 'reject', why: 'the command is empty or too long to read' }],
    [run('x'.repeat(5_000)), { ruling: 'reject', why: 'the command is empty or too long to read' }],
    [asked({ name: 'mcp__autonomous__report' }), { ruling: 'allow' }],
    [asked({ name: 'mcp__autonomous__report; rm' }), { ruling: 'ask', commands: ['x'] }],
    [asked({ kind: 'read', paths: ['a'] }), { ruling: 'allow' }],
    [asked({ kind: 'edit', paths: ['a'] }), { ruling: 'allow' }],
    [asked({ kind: 'edit' }), { ruling: 'reject', why: 'it does not say which file' }],
    [asked({ kind: 'read', title: 'cat /x' }), { ruling: 'ask', commands: ['cat /x'] }],
    [asked({ kind: 'think' }), { ruling: 'allow' }],
  ] as const)('%o: %o', ([what, ruling]) => {
    expect(judgePermission(what, open)).toEqual(ruling);
  });

  test('nothing outside of the clone and no command off the list is ever allowed by us', () => {
    const word = fc.constantFrom('npm test', 'make', 'a b; c', '', '/etc', 'a', '~', '.git');
    const any = fc.record({
      kind: fc.constantFrom('read', 'edit', 'delete', 'execute', 'fetch', 'other', 'think', 'new kind'),
      title: word,
      name: fc.option(word),
      commands: fc.option(fc.array(word, { minLength: 1, maxLength: 3 })),
      paths: fc.array(word, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(any, (what) => {
        const { ruling } = judgePermission(what, open);
        if (what.paths.includes('/etc') || what.paths.includes('~')) expect(ruling).toBe('reject');
        if (what.kind === 'execute' && what.commands?.some((one) => one !== 'npm test') !== false) {
          expect(ruling).not.toBe('allow');
        }
      }),
    );
  });
});

test('what is asked is read from what agents send', () => {
  const claude = {
    kind: 'edit',
    title: 'Edit a.ts',
    locations: [{ path: 'a.ts', line: 3 }],
    rawInput: { file_path: '/b.ts' },
  };
  expect(askedOf(claude)).toMatchObject({ kind: 'edit', commands: null, paths: ['a.ts', '/b.ts'] });
  const cline = { kind: 'execute', title: 'run_commands', rawInput: { commands: ['ls', { command: 'pwd' }] } };
  expect(askedOf(cline)).toMatchObject({ kind: 'execute', commands: ['ls', 'pwd'], paths: [] });
  const disguised = { kind: 'read', title: 'Look', rawInput: { command: ['rm', '-rf', 'x'] } };
  expect(askedOf(disguised)).toMatchObject({ kind: 'execute', commands: ['rm -rf x'] });
  const apart = { kind: 'execute', rawInput: { command: 'npm', args: ['test', '; rm x'] } };
  expect(askedOf(apart)).toMatchObject({ commands: ['npm test ; rm x'] });
  const diff = {
    title: 5,
    content: [{ type: 'diff', path: '/etc/x', newText: '' }],
    rawInput: 'odd',
    locations: 'odd',
  };
  expect(askedOf(diff)).toEqual({ kind: 'other', title: '', name: null, commands: null, paths: ['/etc/x'] });
});

test('once before always, and no answer where none fits', () => {
  const always = { optionId: 'a', kind: 'allow_always' };
  const once = { optionId: 'o', kind: 'allow_once' };
  const never = { optionId: 'n', kind: 'reject_always' };
  for (const ground of [sandboxed, open]) {
    expect(optionFor([always, once, never], true, ground)).toBe('o');
    expect(optionFor([always, never], false, ground)).toBe('n');
    expect(optionFor([always, once], false, ground)).toBeNull();
  }
  expect(optionFor([always, never], true, sandboxed)).toBe('a');
  expect(optionFor([always, never], true, open)).toBeNull();
});
