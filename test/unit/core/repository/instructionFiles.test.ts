import { describe, expect, it } from 'vitest';
import {
  linkTarget,
  namesFolder,
  nestedInstructions,
  topInstructions,
  withoutRepeats,
} from '../../../../src/core/repository/instructionFiles.ts';

const files = (...paths: readonly string[]) => paths.map((path) => ({ path, bytes: 1, isLink: false }));
const pathsOf = (found: readonly { readonly path: string }[]): string[] => found.map(({ path }) => path);

describe('instruction files', () => {
  it('for the whole repository are found where agents look for them, in a fixed order', () => {
    const all = files(
      '.cursor/rules/b.mdc',
      '.cursor/rules/deep/a.mdc',
      '.cursorrules',
      '.github/copilot-instructions.md',
      '.github/instructions/ts.instructions.md',
      'AGENTS.md',
      'CLAUDE.md',
      'GEMINI.md',
      'README.md',
      'docs/AGENTS.md',
      'src/CLAUDE.md',
    );
    expect(pathsOf(topInstructions(all))).toEqual([
      'AGENTS.md',
      'CLAUDE.md',
      '.github/copilot-instructions.md',
      'GEMINI.md',
      '.cursorrules',
      '.cursor/rules/b.mdc',
      '.cursor/rules/deep/a.mdc',
      '.github/instructions/ts.instructions.md',
    ]);
  });

  it('for single folders leave out packages of others and test data', () => {
    const all = files(
      'AGENTS.md',
      'a/AGENTS.md',
      'a/b/CLAUDE.md',
      'node_modules/x/AGENTS.md',
      'test/fixtures/AGENTS.md',
    );
    expect(pathsOf(nestedInstructions(all))).toEqual(['a/AGENTS.md', 'a/b/CLAUDE.md']);
  });

  it.each([
    ['Change packages/a/src/x.ts.', true],
    ['In `packages/a`: a parser', true],
    ['./packages/a.', true],
    ['packages/ab/x.ts', false],
    ['other/packages/a/x.ts', false],
    ['packages/a.old/x.ts', false],
  ])('belong to a feature that names their folder: %s', (text, named) => {
    expect(namesFolder(text, 'packages/a')).toBe(named);
  });

  it.each([
    ['CLAUDE.md', 'AGENTS.md', 'AGENTS.md'],
    ['.github/copilot-instructions.md', '../AGENTS.md', 'AGENTS.md'],
    ['CLAUDE.md', '../secret', null],
    ['CLAUDE.md', '/etc/passwd', null],
  ])('that are links lead to a file of the repository or nowhere: %s -> %s', (path, target, found) => {
    expect(linkTarget(path, target)).toBe(found);
  });

  it('are given once: no copy, and no file that only names another one', () => {
    const rules = { path: 'AGENTS.md', text: '# Rules\n\nTabs.\nNo lists.\nRun the tests before you report.\n' };
    const given = withoutRepeats([
      rules,
      { path: 'CLAUDE.md', text: '@AGENTS.md\n' },
      { path: 'GEMINI.md', text: '# Gemini\n\nSee [AGENTS.md](AGENTS.md) for the rules.\n' },
      { path: '.cursorrules', text: `${rules.text.replaceAll('\n', '\r\n')}\n` },
      { path: '.windsurfrules', text: '@AGENTS.md\nUse pnpm.\n' },
      { path: 'CONVENTIONS.md', text: ' \n' },
      { path: '.clinerules', text: null },
    ]);
    expect(pathsOf(given)).toEqual(['AGENTS.md', '.windsurfrules', '.clinerules']);
  });
});
